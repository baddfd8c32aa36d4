// Our end of WalletConnect against a relay and a wallet that share nothing with it: what is agreed,
// asked and ended, and what strangers, repeaters and wallets that lie can do, which is nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWalletConnectRelay, type WalletConnectRelay } from './walletconnect-relay.ts';
import { type PlayedWallet, readLink, sealed } from './walletconnect-wallet.ts';

type Session = {
  readonly wallet: string;
  readonly accounts: readonly string[];
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  end(): Promise<void>;
};
type Proposed = {
  readonly link: string;
  readonly settled: Promise<Session>;
  close(): void;
};
type OurEnd = {
  proposeSession(options: object): Promise<Proposed>;
};
type Envelope = {
  topicOf(key: Uint8Array): Promise<string>;
  fromHex(text: string): Uint8Array;
  seal(key: Uint8Array, value: unknown, nonce?: Uint8Array): string;
  open(key: Uint8Array, sealed: string): unknown;
};

// Scripts of the page have no types.
const SESSION: string = '#pages/assets/walletconnect-session.js';
const RELAY: string = '#pages/assets/walletconnect-relay.js';
const ENVELOPE: string = '#pages/assets/walletconnect-envelope.js';
const { proposeSession } = (await import(SESSION)) as OurEnd;
const { RelayAway } = (await import(RELAY)) as { readonly RelayAway: new () => Error };
const { topicOf, fromHex, seal, open } = (await import(ENVELOPE)) as Envelope;

const CHAIN = 'eip155:1';
const ACCOUNT = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER = '0x000000000000000000000000000000000000dEaD';
const HASH = `0x${'ab'.repeat(32)}`;
const CALL = [{ from: ACCOUNT, to: OTHER, value: '0x1' }];

let relay: WalletConnectRelay;
before(async () => {
  relay = await openWalletConnectRelay();
});
after(() => relay.close());

async function propose(projectId = relay.projectId): Promise<Proposed> {
  const metadata = { name: 'Shop', description: '', url: 'https://pay.shop.test', icons: [] };
  const methods = ['eth_sendTransaction'];
  return proposeSession({ url: relay.url, projectId, chain: CHAIN, methods, metadata });
}

async function agreed(accounts = [`${CHAIN}:${ACCOUNT}`]) {
  const proposed = await propose();
  const wallet = await readLink(relay, proposed.link);
  wallet.agree(accounts);
  return { proposed, wallet, session: await proposed.settled };
}

const isOf = (kind: string) => (error: { readonly kind?: string }) => error.kind === kind;
/** Wallets drop what is asked too long ago. */
function withoutExpiry(params: unknown) {
  const { request, ...rest } = params as { readonly request: Record<string, unknown> };
  const { expiryTimestamp, ...asked } = request;
  assert(Math.abs(Number(expiryTimestamp) - Date.now() / 1000 - 300) < 60);
  return { ...rest, request: asked };
}
/** Long enough for what was published to be heard. */
const pass = () => sleep(50);

test('what is sealed is what the packages of WalletConnect seal', async () => {
  // What `encrypt` and `hashKey` of @walletconnect/utils 2.21.8 answer.
  const key = fromHex('0653ca620c7b4990392e1c53c4a51c14a2840cd20f0f1524cf435b17b6fe988c');
  const value = { id: 1, jsonrpc: '2.0', method: 'test_method', params: {} };
  const theirs =
    'AHF3ZWNmYWFzZGFkc3paHoQ96/mLAdanVxi17icRXq+jyrqXA8ocVgGmryQZBFMg+uwgc8yLa43EOeY+IWEv84g8' +
    'hn4L3Ncsgz6397sgNKnsNcL7A9k3Mg==';
  assert.equal(seal(key, value, fromHex('717765636661617364616473')), theirs);
  assert.deepEqual(open(key, theirs), value);
  const topic = '2c03712132ad2f85adc472a2242e608d67bfecd4362d05012d69a89143fecd16';
  assert.equal(await topicOf(key), topic);
  assert.notEqual(seal(key, value), seal(key, value), 'each has a nonce of its own');
});

test('a session is agreed, asked for one payment, and ended', async () => {
  const { proposed, wallet, session } = await agreed();
  assert.deepEqual(session.accounts, [ACCOUNT]);
  assert.equal(session.wallet, 'Played');
  const { params } = wallet.proposal as unknown as { params: Record<string, unknown> };
  assert.deepEqual(params.optionalNamespaces, {
    eip155: { chains: [CHAIN], methods: ['eth_sendTransaction'], events: [] },
  });
  assert.equal((await wallet.hearAnswer(1103)).result, true, 'it is told that it is settled');
  const asked = session.request('eth_sendTransaction', CALL);
  const request = await wallet.heardRequest();
  assert.deepEqual(withoutExpiry(request.params), {
    chainId: CHAIN,
    request: { method: 'eth_sendTransaction', params: CALL },
  });
  wallet.answer(request.id, { result: HASH });
  assert.equal(await asked, HASH);
  await session.end();
  assert.equal((await wallet.heardEnd()).method, 'wc_sessionDelete');
  proposed.close();
});

test('what strangers publish on its topics changes nothing', async () => {
  const proposed = await propose();
  const wallet = await readLink(relay, proposed.link);
  const forged = Buffer.alloc(32, 7);
  const answer = {
    id: wallet.proposal.id,
    jsonrpc: '2.0',
    result: { responderPublicKey: wallet.publicKey },
  };
  for (const garbled of ['', '!', 'AAAA', sealed(forged, answer), 'A'.repeat(200_000)]) {
    relay.publish(wallet.pairing, garbled, 1101);
  }
  // Sealed rightly, and broken in one place.
  const right = Buffer.from(sealed(wallet.pairingKey, answer), 'base64');
  right[20] = (right[20] ?? 0) ^ 1;
  relay.publish(wallet.pairing, right.toString('base64'), 1101);
  const others = { ...answer, result: { responderPublicKey: 'ab'.repeat(32) } };
  // Of another kind of envelope, and on a topic that is not ours.
  const otherKind = Buffer.from(sealed(wallet.pairingKey, others), 'base64');
  otherKind[0] = 2;
  relay.publish(wallet.pairing, otherKind.toString('base64'), 1101);
  relay.publish(wallet.session, sealed(wallet.pairingKey, others), 1101);
  // An answer to nothing that was asked.
  relay.publish(wallet.pairing, sealed(wallet.pairingKey, { ...others, id: 1 }), 1101);
  await pass();
  wallet.agree([`${CHAIN}:${ACCOUNT}`]);
  const session = await proposed.settled;
  assert.deepEqual(session.accounts, [ACCOUNT]);
  proposed.close();
});

test('a session belongs to the wallet that agreed to it: no other settles it, and none twice', async () => {
  const proposed = await propose();
  const wallet = await readLink(relay, proposed.link);
  wallet.answerProposal({ result: { responderPublicKey: wallet.publicKey } });
  wallet.settle([`${CHAIN}:${OTHER}`], 'ab'.repeat(32));
  wallet.settle([`${CHAIN}:${ACCOUNT}`]);
  const session = await proposed.settled;
  wallet.settle([`${CHAIN}:${OTHER}`]);
  await pass();
  assert.deepEqual(session.accounts, [ACCOUNT]);
  // Somebody else who read the link comes too late.
  const second: PlayedWallet = await readLink(relay, proposed.link);
  second.agree([`${CHAIN}:${OTHER}`]);
  await pass();
  assert.deepEqual(session.accounts, [ACCOUNT]);
  proposed.close();
});

test('an answer that is said again answers no second question', async () => {
  const { proposed, wallet, session } = await agreed();
  const first = session.request('eth_sendTransaction', CALL);
  const { id } = await wallet.heardRequest();
  const message = wallet.answer(id, { result: HASH });
  assert.equal(await first, HASH);
  const second = session.request('eth_sendTransaction', CALL);
  const next = await wallet.heardRequest(1);
  relay.publish(wallet.session, message, 1109);
  wallet.answer(id, { result: `0x${'cd'.repeat(32)}` });
  await pass();
  wallet.answer(next.id, { result: `0x${'ef'.repeat(32)}` });
  assert.equal(await second, `0x${'ef'.repeat(32)}`);
  const said = (tag: number) =>
    relay.published.filter((one) => one.topic === wallet.session && one.tag === tag);
  relay.publish(wallet.session, said(1102)[0]?.message ?? '', 1102);
  await pass();
  assert.equal(said(1103).length, 1, 'what is said again is not answered again');
  proposed.close();
});

test('accounts on other chains, and what is no account, are none', async () => {
  const { proposed, session } = await agreed([
    `eip155:10:${ACCOUNT}`,
    `eip155:11:${ACCOUNT}`,
    `${CHAIN}:0x123`,
    `${CHAIN}:${ACCOUNT}00`,
  ]);
  assert.deepEqual(session.accounts, []);
  proposed.close();
});

test('a no is a no, a chain that the wallet lacks is named, and an end ends what was asked', async () => {
  for (const [error, kind] of [
    [{ code: 5000, message: 'User rejected.' }, 'refused'],
    [{ code: 5100, message: 'Unsupported chains.' }, 'chain'],
  ] as const) {
    const proposed = await propose();
    (await readLink(relay, proposed.link)).answerProposal({ error });
    await assert.rejects(proposed.settled, isOf(kind));
    proposed.close();
  }
  const { proposed, wallet, session } = await agreed();
  const asked = session.request('eth_sendTransaction', CALL);
  await wallet.heardRequest();
  wallet.ask('wc_sessionDelete', { code: 6000, message: 'User disconnected.' }, 1112);
  await assert.rejects(asked, isOf('ended'));
  await assert.rejects(session.request('eth_sendTransaction', CALL), isOf('ended'));
  proposed.close();
});

test('a connection that breaks comes back, and hears what was said meanwhile', async () => {
  const { proposed, wallet, session } = await agreed();
  const asked = session.request('eth_sendTransaction', CALL);
  const { id } = await wallet.heardRequest();
  relay.dropAll();
  wallet.answer(id, { result: HASH });
  assert.equal(await asked, HASH);
  proposed.close();
});

test('a relay that does not know the project is told at once, and left alone', async () => {
  const count = relay.asked.length;
  const from = performance.now();
  await assert.rejects(propose('unknown'), RelayAway);
  assert.equal(relay.asked.length, count);
  assert(performance.now() - from < 10_000);
});
