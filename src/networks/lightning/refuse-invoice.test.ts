// What a node gives instead of the invoice that was asked for is shown to nobody.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32 } from '@scure/base';
import { encodeInvoice } from '#networks/sandbox/bolt11.ts';
import { fakeHttp } from '#test/support/fake-http.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { LIGHTNING_CHAINS, type LightningChainName } from './lightning-chain.ts';
import { lightningNetwork } from './lightning-network.ts';
import { lndBackend } from './lnd-backend.ts';

const clock = manualClock('2026-01-01T12:00:00Z');
const nodeKey = new Uint8Array(32).fill(7);
const honest = {
  prefix: 'bcrt',
  units: 21_000n,
  createdAt: clock.now(),
  expirySeconds: 3600,
  paymentHash: new Uint8Array(32).fill(1),
  paymentSecret: new Uint8Array(32).fill(2),
  description: 'Payment abcdefghijkl',
};
const request = {
  index: 0n,
  assetId: 'BTC:NATIVE',
  units: honest.units,
  instructionId: 'abcdefghijkl',
  expiresAt: clock.now().add({ hours: 1 }),
};
let database: TestDatabase;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
});
after(() => database?.close());

type Given = { readonly invoice?: unknown; readonly info?: object; readonly chain?: string };

function networkOver({ invoice, info = {}, chain = 'regtest' }: Given) {
  const described = {
    chains: [{ chain: 'bitcoin', network: chain === 'main' ? 'mainnet' : chain }],
    identity_pubkey: secp256k1.getPublicKey(nodeKey).toHex(),
    version: '0.20.0-beta',
    synced_to_chain: true,
    ...info,
  };
  const http = fakeHttp(({ path }) => {
    return { body: path === '/v1/getinfo' ? described : { payment_request: invoice } };
  });
  const what = 'live:LIGHTNING';
  return lightningNetwork({
    chain: what,
    parameters: LIGHTNING_CHAINS[chain as LightningChainName],
    backend: lndBackend({ http, macaroon: new Uint8Array(1), clock }),
    address: 'a node',
    db: database.db,
    clock,
  });
}

/** The same invoice with an address on the chain beside it (BOLT 11, tag f), signed again. */
function withFallback(text: string): string {
  const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
  const address = [17, ...bech32.toWords(new Uint8Array(20).fill(3))];
  const signed = [...words.slice(0, -104), 9, address.length >> 5, address.length & 31, ...address];
  const bits = signed.map((word) => word.toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [];
  const message = createHash('sha256').update(prefix).update(Uint8Array.from(bytes)).digest();
  const options = { prehash: false, format: 'recovered' } as const;
  const [recovery = 0, ...signature] = secp256k1.sign(message, nodeKey, options);
  const tail = bech32.toWords(Uint8Array.of(...signature, recovery));
  return bech32.encode(prefix, [...signed, ...tail], false);
}

const other = (change: Partial<typeof honest>, key = nodeKey) =>
  encodeInvoice({ ...honest, ...change }, key);

test('the invoice that was asked for is given as it is', async () => {
  const { address } = await networkOver({ invoice: other({}) }).openDestination(request);
  assert.equal(address, other({}));
});

for (const [name, invoice, sentence] of [
  ['that is no invoice', 'lnbcrt1', /the invoice is not a whole one/],
  ['that is damaged', `${other({}).slice(0, -1)}q`, /the invoice is not a whole one/],
  ['that is not there', undefined, /the invoice is no text/],
  ['that is empty', '', /the invoice is no text/],
  ['of another chain', other({ prefix: 'tb' }), /the invoice is of another chain \(lntb\)/],
  ['that pays another node', other({}, new Uint8Array(32).fill(8)), /pays another node/],
  ['that asks for more', other({ units: 21_001n }), /the invoice asks for 21001000 msat/],
  ['that asks for less', other({ units: 20_999n }), /the invoice asks for 20999000 msat/],
  ['that ends too early', other({ expirySeconds: 3479 }), /clock of the node is 121 seconds off/],
  ['that ends too late', other({ expirySeconds: 3721 }), /clock of the node is 121 seconds off/],
  ['with an address on the chain', withFallback(other({})), /offer an address on the chain/],
] as const) {
  test(`an invoice ${name} is shown to nobody`, async () => {
    const network = networkOver({ invoice });
    await assert.rejects(async () => network.openDestination(request), sentence);
  });
}

test('an invoice without the hash of what the payer was shown is shown to nobody', async () => {
  const hashed = { ...request, hashedDescription: '[["text/plain","A shop"]]' };
  const network = networkOver({ invoice: other({}) });
  const opening = async () => network.openDestination(hashed);
  await assert.rejects(opening, /does not hold the hash of what the payer/);
});

test('a node that has not caught up is not ready, but for a chain made by hand', async () => {
  const info = { synced_to_chain: false };
  await networkOver({ info }).checkIdentity();
  await assert.rejects(networkOver({ info, chain: 'main' }).checkIdentity(), /is not ready/);
  await networkOver({ chain: 'main' }).checkIdentity();
});

for (const [name, info, sentence] of [
  ['of another chain', { chains: [{ network: 'testnet' }] }, /the node is on test/],
  ['that names no chain', { chains: [{ network: 'moon' }] }, /on one that is not known/],
  ['without chains', { chains: 'regtest' }, /the chains of the node is no list/],
  ['without a key', { identity_pubkey: '02ab' }, /the id of the node is no public key/],
  [
    'whose key is a list',
    { identity_pubkey: [secp256k1.getPublicKey(nodeKey).toHex()] },
    /the id of the node is no public key/,
  ],
  ['without a version', { version: '' }, /the version of the node is no text/],
] as const) {
  test(`a node ${name} is not believed`, async () => {
    const says = (error: unknown) =>
      error instanceof Error && sentence.test(`${error.message} ${String(error.cause)}`);
    await assert.rejects(networkOver({ info }).checkIdentity(), says);
  });
}
