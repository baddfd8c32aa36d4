// Money that the node's own wallet signs, on a real Litecoin Core: our server drafts, holds it to
// its caps, asks `walletprocesspsbt`, looks at what came back, and sends it. The server has no key.
// In a long run alone: litecoin-sent-by-signer.test.ts tells the same where the signer has the keys.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { sql } from '#db/db.ts';
import { psbtOfTerms } from '#networks/utxo/draft-psbt.ts';
import { type CoreRpc, openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { descriptorChecksum } from '#networks/utxo/parse-address-source.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type LitecoinNode, startLitecoinNode } from './litecoin-node.ts';
import { settingsFor } from './litecoin-shop.ts';
import { type LiveShop, openLiveShop } from './open-live-shop.ts';
import { passHalfAMinute } from './pass-half-a-minute.ts';
import { waitForCursor } from './wait-for-cursor.ts';

const VERSIONS = { public: 0x043587cf, private: 0x04358394 };
const account = HDKey.fromMasterSeed(randomBytes(32), VERSIONS).derive("m/84'/1'/0'");
const PASSPHRASE = 'of the wallet';

type Opened = { readonly checkoutId: string; readonly depositInstructions: { address: string } };
type WalletShop = LiveShop & {
  readonly node: LitecoinNode;
  readonly wallet: CoreRpc;
  /** The wallet of the payers: a node with two is asked for each by its name. */
  readonly payers: CoreRpc;
  open(amount: string): Promise<Opened>;
};
let shop: WalletShop;
let between: Between;

function descriptor(key: string, branch = 0): string {
  const text = `wpkh(${key}/${branch}/*)`;
  return `${text}#${descriptorChecksum(text)}`;
}

type Between = {
  readonly url: string;
  /** Called once, when the wallet has answered and the service does not have the answer yet. */
  onSigned: (() => Promise<void>) | undefined;
  close(): void;
};

/** Between the service and its node, so that one of both can be gone when the other has answered. */
async function standBetween(target: string): Promise<Between> {
  const { host, username, password } = new URL(target);
  const server: Server = createServer(async (asked, answer) => {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { method, url, headers } = asked;
    const on = request(`http://${host}${url}`, { method, headers }, async (said) => {
      const { onSigned } = between;
      if (onSigned !== undefined && body.includes('walletprocesspsbt')) {
        between.onSigned = undefined;
        await onSigned();
      }
      answer.writeHead(said.statusCode ?? 500, said.headers);
      said.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    answer.on('error', () => on.destroy());
    on.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://${username}:${password}@127.0.0.1:${port}/`;
  return {
    url,
    onSigned: undefined,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Encrypted, with the private keys of the service's descriptor; of the old kind, as there is. */
async function openHotWallet(node: LitecoinNode): Promise<CoreRpc> {
  await node.rpc('createwallet', 'hot', false, true, PASSPHRASE, false, false, true);
  const rpc = openCoreRpc({ ...node.rpcOptions, url: `${node.rpcOptions.url}wallet/hot` });
  await rpc.call('walletpassphrase', [PASSPHRASE, 100_000]);
  const requests = [0, 1].map((branch) => ({
    desc: descriptor(account.privateExtendedKey, branch),
    range: [0, 30],
    timestamp: 'now',
    internal: branch === 1,
  }));
  const results = await rpc.call('importmulti', [requests, { rescan: false }]);
  assert((results as { success: boolean }[]).every(({ success }) => success));
  return rpc;
}

before(async () => {
  shop = await openLiveShop(async ({ closeLater, startShop }) => {
    const node = await startLitecoinNode();
    closeLater(() => node.stop());
    const wallet = await openHotWallet(node);
    closeLater(async () => wallet.close());
    const payers = openCoreRpc({ ...node.rpcOptions, url: `${node.rpcOptions.url}wallet/test` });
    closeLater(async () => payers.close());
    between = await standBetween(node.rpcOptions.url);
    closeLater(async () => between.close());
    const started = await startShop({
      ...settingsFor(node, descriptor(account.publicExtendedKey)),
      LITECOIN_RPC_URL: between.url,
      LITECOIN_FEE_RATE: '2',
      LITECOIN_WALLET: 'hot',
      LITECOIN_WALLET_PER_TRANSACTION: '0.3',
      LITECOIN_WALLET_PER_DAY: '2',
    });
    const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
    await started.server.command('allow-list', 'add', ...here);
    const open = (amount: string) =>
      started.shop.open({ currency: 'LTC', amount }, 'LITECOIN') as Promise<Opened>;
    return { ...started.shop, server: started.server, node, wallet, payers, open };
  });
});
after(() => shop?.close());

async function paidCheckout(amount: string): Promise<string> {
  const { checkoutId, depositInstructions } = await shop.open(amount);
  await shop.payers.call('sendtoaddress', [depositInstructions.address, amount]);
  await shop.node.mine(2);
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  return checkoutId;
}

/** A refund to an address of its own. */
async function refund(checkoutId: string, amount: string): Promise<string> {
  const address = String(await shop.payers.call('getnewaddress', ['', 'bech32']));
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount, address });
  return address;
}

type Refund = { readonly checkoutId: string; readonly state: string };

async function waitForRefund(checkoutId: string): Promise<void> {
  await waitUntil('the refund to complete', async () => {
    const waiting = (await shop.node.rpc('getrawmempool')) as readonly string[];
    if (waiting.length > 0) await shop.node.mine(2);
    const { refunds } = await shop.client.get<{ refunds: readonly Refund[] }>('/refunds');
    return refunds.some((one) => one.checkoutId === checkoutId && one.state === 'COMPLETED');
  });
}

async function received(address: string): Promise<string> {
  return String(await shop.payers.call('getreceivedbyaddress', [address]));
}

async function waitForReason(reason: RegExp): Promise<void> {
  await waitUntil(`a reason as ${reason}`, async () => {
    const { json } = await shop.server.command('send', 'list', '--json');
    const { transfers } = json as unknown as { transfers: { heldUp: string | null }[] };
    return transfers.some(({ heldUp }) => reason.test(heldUp ?? ''));
  });
}

async function checkBooks(): Promise<void> {
  const hash = await shop.node.bestHash();
  await waitForCursor(shop.server, 'live:LITECOIN', (cursor) => cursor.hash === hash);
  await shop.checkBooks();
}

test('a refund is signed by the wallet of the node, sent, mined and booked', async () => {
  const { json } = await shop.server.command('doctor', '--json');
  const { findings } = json as unknown as { findings: { what: string; detail: string }[] };
  assert.equal(
    findings.find(({ what }) => what === 'who signs LITECOIN')?.detail,
    "the node's wallet hot: at most 0.3 LTC at once, 2 LTC a day",
  );
  const checkoutId = await paidCheckout('0.5');
  const address = await refund(checkoutId, '0.2');
  await waitForRefund(checkoutId);
  assert.equal(await received(address), '0.2');
  const [drafted] = await shop.server.db.query<{ terms: string }>(sql`select terms from attempt`);
  const { inputs } = RawPSBTV0.decode(psbtOfTerms(drafted?.terms ?? ''));
  // A node without an index of all transactions would have them too: each is named with its block.
  assert(inputs.every(({ nonWitnessUtxo }) => nonWitnessUtxo !== undefined));
  await checkBooks();
});

test('a locked wallet, or more than its cap, says what to do, and waits for it', async () => {
  const { wallet, server } = shop;
  const [large, small] = [await paidCheckout('0.5'), await paidCheckout('0.1')];
  await wallet.call('walletlock', []);
  const doctor = await server.command('doctor');
  assert.match(doctor.stdout, /who signs LITECOIN\s+the wallet hot is locked: unlock it/);
  const address = await refund(small, '0.05');
  await waitForReason(/^the wallet hot is locked: unlock it .*walletpassphrase/);
  const above = await refund(large, '0.3');
  await waitForReason(
    /above the cap of the wallet: 0\.30\d+ LTC would leave at once.* is 0\.3 LTC/,
  );
  await wallet.call('walletpassphrase', [PASSPHRASE, 100_000]);
  await passHalfAMinute(shop.server);
  await waitForRefund(small);
  assert.deepEqual([await received(address), await received(above)], ['0.05', '0']);
  await checkBooks();
});

test('killed when the wallet has signed and nothing is stored, it is paid once', async () => {
  const { server } = shop;
  const checkoutId = await paidCheckout('0.2');
  const killed = Promise.withResolvers<void>();
  between.onSigned = async () => {
    await server.kill9();
    killed.resolve();
  };
  const address = await refund(checkoutId, '0.1');
  await killed.promise;
  await server.start();
  await waitForRefund(checkoutId);
  assert.equal(await received(address), '0.1');
  const twice = await server.db.query(sql`
    select t.id from transfer t where state = 'COMPLETED' and (select count(distinct transaction)
      from attempt where transfer_ids @> array[t.id] and signed_at is not null) <> 1`);
  assert.deepEqual(twice, []);
  await checkBooks();
});
