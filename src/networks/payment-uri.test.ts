// Payment links by their standards: what a wallet parses is what we asked for, to the last unit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import {
  coinUri,
  encodeLnurl,
  etherUri,
  lightningUri,
  stellarUri,
  tokenUri,
  xrplUri,
} from './payment-uri.ts';

const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const receiver = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

test('BIP-321: address in the path, amount in coins with a point and nothing else', () => {
  assert.equal(coinUri('bitcoin', segwit, 48_312n, 8), `bitcoin:${segwit}?amount=0.00048312`);
  assert.equal(coinUri('bitcoin', segwit, 5_000_000_000n, 8), `bitcoin:${segwit}?amount=50`);
  assert.equal(coinUri('litecoin', 'ltc1q', undefined, 8), 'litecoin:ltc1q');
});

test('BIP-321: every amount is in decimal coins and reads back as the same units', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 21_000_000n * 10n ** 8n), (units) => {
      const uri = coinUri('bitcoin', segwit, units, 8);
      const amount = /^bitcoin:[a-z0-9]+\?amount=(\d+(?:\.\d{1,8})?)$/.exec(uri)?.[1] ?? '';
      const [whole = '', fraction = ''] = amount.split('.');
      assert.equal(BigInt(whole + fraction.padEnd(8, '0')), units);
    }),
  );
});

test('EIP-681: ether as a whole number of wei, on the chain that is named', () => {
  assert.equal(
    etherUri(account, 1n, 12_345_678_901_234_567n),
    `ethereum:${account}@1?value=12345678901234567`,
  );
  assert.equal(etherUri(account, 8453n, undefined), `ethereum:${account}@8453`);
});

test('EIP-681: a token calls transfer of its contract, with exact units', () => {
  assert.equal(
    tokenUri(usdc, 1n, account, 45_123_457n),
    `ethereum:${usdc}@1/transfer?address=${account}&uint256=45123457`,
  );
});

test('EIP-681: numbers are integers without exponent, however large', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 2n ** 256n - 1n), (units) => {
      assert.match(etherUri(account, 1n, units), /\?value=[1-9]\d*$/);
      assert.match(tokenUri(usdc, 1n, account, units), /&uint256=[1-9]\d*$/);
      assert.ok(etherUri(account, 1n, units).endsWith(`=${units}`));
    }),
  );
});

test('SEP-7: pay with destination, amount, asset, text memo, and the network when it is another', () => {
  const uri = stellarUri({
    destination: receiver,
    units: 451_234_568n,
    decimals: 7,
    memo: '4821907715',
    asset: { code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' },
    networkPassphrase: 'Test SDF Network ; September 2015',
  });
  assert.match(uri, /^web\+stellar:pay\?/);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(uri.slice(uri.indexOf('?')))), {
    destination: receiver,
    amount: '45.1234568',
    asset_code: 'USDC',
    asset_issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    memo: '4821907715',
    memo_type: 'MEMO_TEXT',
    network_passphrase: 'Test SDF Network ; September 2015',
  });
});

test('SEP-7: lumens name no asset, and a memo can never become another parameter', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (memo) => {
      const lumens = { destination: receiver, units: 10_000_000n, decimals: 7, asset: undefined };
      const uri = stellarUri({ ...lumens, memo, networkPassphrase: undefined });
      const read = new URLSearchParams(uri.slice(uri.indexOf('?')));
      assert.deepEqual([...read.keys()], ['destination', 'amount', 'memo', 'memo_type']);
      assert.equal(read.get('memo'), memo);
      assert.equal(read.get('amount'), '1');
    }),
  );
});

test('XLS-2: account, tag and amount in XRP; tag 0 is a tag', () => {
  const to = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  assert.equal(
    xrplUri(to, 4_821_907n, 18_765_433n, 6),
    `ripple:${to}?to=${to}&dt=4821907&amount=18.765433`,
  );
  assert.equal(xrplUri(to, 0n, undefined, 6), `ripple:${to}?to=${to}&dt=0`);
  assert.equal(xrplUri(to, undefined, 1n, 6), `ripple:${to}?to=${to}&amount=0.000001`);
});

test('an invoice says everything itself', () => {
  assert.equal(lightningUri({ destination: 'ab', address: 'lnbc1x' }), 'lightning:lnbc1x');
  const url = 'https://pay.example/.well-known/lnurlp/a';
  const address = lightningUri({ destination: url, address: 'a@pay.example' });
  assert.equal(address, `lightning:${encodeLnurl(url)}`);
});

test('a web address is encoded as in the example of LUD-01', () => {
  const url =
    'https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df';
  const example =
    'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3H' +
    'XQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS';
  assert.equal(encodeLnurl(url), example.toLowerCase());
});

test('whatever its length, a reader finds the same web address again', () => {
  fc.assert(
    fc.property(fc.webUrl(), (url) => {
      const { prefix, words } = bech32.decode(encodeLnurl(url) as `lnurl1${string}`, false);
      assert.equal(prefix, 'lnurl');
      assert.equal(new TextDecoder().decode(bech32.fromWords(words)), url);
    }),
  );
});
