import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { StrKey } from '@stellar/stellar-base';
import { decode } from 'light-bolt11-decoder';
import { getAddress } from 'viem/utils';
import { findCreditorReferences } from '#networks/bank/bank-references.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { classicAccountId } from '#networks/xrpl/xrpl-address.ts';
import { SANDBOX_CHAINS } from './sandbox-block.ts';
import { ownDestinations, sandboxPayee } from './sandbox-payee.ts';

const seed = new Uint8Array(32).fill(9);
const expiresAt = Temporal.Instant.from('2026-01-01T01:00:00Z');

function destinationsOf(network: string, from = seed): PurePayee {
  const sandbox = SANDBOX_CHAINS.find(({ chain }) => chain === `test:${network}`);
  assert.ok(sandbox !== undefined);
  return sandboxPayee(sandbox.chain, from);
}

function open(destinations: PurePayee, index: bigint, assetId = 'BTC:NATIVE') {
  return destinations.openDestination({
    index,
    assetId,
    units: 69_999n,
    instructionId: `instruction${index}`,
    expiresAt,
  });
}

for (const { chain } of SANDBOX_CHAINS) {
  const network = chain.slice('test:'.length);
  test(`${network}: the same installation hands out the same, another one does not`, () => {
    const once = open(destinationsOf(network), 5n);
    assert.deepEqual(open(destinationsOf(network), 5n), once);
    const other = destinationsOf(network, new Uint8Array(32).fill(8));
    assert.notEqual(open(other, 5n).destination, once.destination);
  });

  test(`${network}: every index is another destination`, () => {
    const destinations = destinationsOf(network);
    const count = 50;
    const all = Array.from({ length: count }, (_, index) => open(destinations, BigInt(index)));
    assert.equal(new Set(all.map(({ destination }) => destination)).size, count);
  });
}

for (const [network, prefix] of [
  ['BITCOIN', 'tb'],
  ['LITECOIN', 'tltc'],
] as const) {
  test(`${network} hands out witness addresses of the test network`, () => {
    const destinations = destinationsOf(network);
    const { address, destination } = open(destinations, 0n);
    const { prefix: found, words } = bech32.decode(address as `${string}1${string}`);
    assert.equal(found, prefix);
    assert.deepEqual([words[0], bech32.fromWords(words.slice(1)).length], [0, 20]);
    assert.equal(destinations.canonicalAddress(address.toUpperCase()), destination);
    assert.equal(destinations.canonicalAddress(`${address}x`), undefined);
    assert.match(destinations.addressSource, /^wpkh\(tpub/);
  });
}

test('ETHEREUM hands out checksummed addresses and matches them in lower case', () => {
  const destinations = destinationsOf('ETHEREUM');
  const { address, destination } = open(destinations, 0n);
  assert.equal(getAddress(address), address);
  assert.equal(destination, address.toLowerCase());
  assert.equal(destinations.canonicalAddress(address), destination);
  assert.equal(destinations.canonicalAddress(destination), destination);
  const swapped = `0x${address
    .slice(2)
    .replace(/[a-f]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )}`;
  assert.equal(destinations.canonicalAddress(swapped), undefined, 'the checksum is checked');
});

test('STELLAR hands out one account and memos of digits within 63 bits', () => {
  const destinations = destinationsOf('STELLAR');
  const { address, memo = '', memoType, destination } = open(destinations, 12n);
  assert.ok(StrKey.isValidEd25519PublicKey(address));
  assert.match(memo, /^13\d{6}$/);
  assert.equal(memoType, 'text');
  assert.equal(destination, `${address}:${memo}`);
  assert.equal(open(destinations, 13n).address, address);
  assert.ok(BigInt(open(destinations, 2n ** 42n).memo ?? '') < 2n ** 63n);
  assert.equal(ownDestinations(destinations)(`${address}:0`), true);
  assert.equal(ownDestinations(destinations)(address), true);
  assert.equal(ownDestinations(destinations)(`${address}x`), false);
});

test('XRP_LEDGER hands out one account of nobody and tags of 32 bits', () => {
  const destinations = destinationsOf('XRP_LEDGER');
  const { address, destinationTag, destination } = open(destinations, 12n, 'XRP:NATIVE');
  assert.notEqual(classicAccountId(address), undefined);
  assert(destinationTag !== undefined && destinationTag > 0n && destinationTag < 2n ** 32n);
  assert.equal(destination, `${address}:${destinationTag}`);
  assert.equal(open(destinations, 13n).address, address);
  assert.equal(destinations.canonicalAddress(address), address);
  assert.equal(destinations.canonicalAddress(`${address}x`), undefined);
  assert.deepEqual([`${address}:1`, address, `${address}1`].map(ownDestinations(destinations)), [
    true,
    true,
    false,
  ]);
});

for (const [network, form, bic] of [
  ['SEPA', /^DE\d\d00000000\d{10}$/, 'SANDDEF0XXX'],
  ['SWIFT', /^DE\d\d00000000\d{10}$/, 'SANDDEF0XXX'],
  ['PIX', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/, undefined],
] as const) {
  test(`${network} hands out references to an account of no bank`, () => {
    const destinations = destinationsOf(network);
    const { address, memo = '', memoType, destination } = open(destinations, 12n, 'EUR:FIAT');
    assert.match(address, form);
    assert.deepEqual(findCreditorReferences(`paid ${memo}.`), [memo]);
    assert.deepEqual([memoType, destination], ['reference', `${address}:${memo}`]);
    assert.deepEqual(destinations.accountHolder, { holder: 'Quittance Sandbox', bic });
    assert.deepEqual([destination, address, 'x'].map(ownDestinations(destinations)), [
      true,
      true,
      false,
    ]);
    assert.equal(destinations.canonicalAddress(address), undefined);
  });
}

test('an account of no bank has the check digits of one (ISO 13616)', () => {
  const { address } = open(destinationsOf('SEPA'), 0n, 'EUR:FIAT');
  assert.equal(BigInt(`${address.slice(4)}1314${address.slice(2, 4)}`) % 97n, 1n);
});

test('a start of the sandbox derives no keys of chains that nobody was asked to pay on yet', () => {
  const derive = mock.method(HDKey, 'fromMasterSeed');
  const fresh = new Uint8Array(32).fill(7);
  const payees = SANDBOX_CHAINS.map(({ chain }) => sandboxPayee(chain, fresh));
  for (const payee of payees) ownDestinations(payee);
  assert.equal(derive.mock.callCount(), 0);
  const bitcoin = payees.find(({ chain }) => chain === 'test:BITCOIN');
  assert(bitcoin !== undefined);
  open(bitcoin, 0n);
  open(bitcoin, 1n);
  assert.equal(derive.mock.callCount(), 1, 'once, by the first who asks');
  derive.mock.restore();
});

test('every EVM network has addresses and payment links of a test network of its own', () => {
  const uris = ['ETHEREUM', 'BASE', 'POLYGON', 'ARBITRUM', 'OPTIMISM'].map((network) => {
    const destinations = destinationsOf(network);
    const destination = open(destinations, 0n, 'ETH:NATIVE');
    const uri = destinations.paymentUri(destination, 'ETH:NATIVE', 5n);
    return /^ethereum:(0x\w{40})@(\d+)\?value=5$/.exec(uri)?.slice(1) ?? [];
  });
  assert.equal(new Set(uris.map(([address]) => address)).size, 5);
  assert.deepEqual(
    uris.map(([, id]) => id),
    ['11155111', '84532', '80002', '421614', '11155420'],
  );
});

test('LIGHTNING hands out an invoice for the amount that ends with the lock', () => {
  const destinations = destinationsOf('LIGHTNING');
  const { address, destination } = open(destinations, 0n);
  const invoice = decode(address);
  const sections = new Map(
    invoice.sections.map((one) => [one.name, 'value' in one ? one.value : undefined]),
  );
  assert.equal(sections.get('amount'), '69999000');
  assert.equal(sections.get('payment_hash'), destination);
  const end = Number(sections.get('timestamp')) + Number(sections.get('expiry'));
  assert.equal(end, expiresAt.epochMilliseconds / 1000);
  assert.ok(secp256k1.utils.isValidPublicKey(Uint8Array.fromHex(destinations.addressSource)));
});

test('payment URIs follow BIP-321, EIP-681 and SEP-7', () => {
  const uri = (network: string, assetId: string, units: bigint) => {
    const destinations = destinationsOf(network);
    const destination = open(destinations, 0n, assetId);
    const { address, memo } = destination;
    return { uri: destinations.paymentUri(destination, assetId, units), address, memo };
  };
  const bitcoin = uri('BITCOIN', 'BTC:NATIVE', 123_456_789n);
  assert.equal(bitcoin.uri, `bitcoin:${bitcoin.address}?amount=1.23456789`);
  const litecoin = uri('LITECOIN', 'LTC:NATIVE', 100_000_000n);
  assert.equal(litecoin.uri, `litecoin:${litecoin.address}?amount=1`);
  const ether = uri('ETHEREUM', 'ETH:NATIVE', 10n ** 18n);
  assert.equal(ether.uri, `ethereum:${ether.address}@11155111?value=1000000000000000000`);
  const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const token = uri('ETHEREUM', `USDC:${contract}`, 5_000_000n);
  assert.equal(
    token.uri,
    `ethereum:${contract}@11155111/transfer?address=${token.address}&uint256=5000000`,
  );
  const lumen = uri('STELLAR', 'XLM:NATIVE', 5n);
  assert.equal(
    lumen.uri,
    `web+stellar:pay?destination=${lumen.address}&amount=0.0000005&memo=${lumen.memo}` +
      '&memo_type=MEMO_TEXT&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015',
  );
  const issuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  assert.match(
    uri('STELLAR', `USDC:${issuer}`, 5n).uri,
    new RegExp(`&asset_code=USDC&asset_issuer=${issuer}&`),
  );
  const invoice = uri('LIGHTNING', 'BTC:NATIVE', 5n);
  assert.equal(invoice.uri, `lightning:${invoice.address}`);
});
