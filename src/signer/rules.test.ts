import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVM_RECEIVER, KEYS } from '#test/support/signer-world.ts';
import { FIRST_SETTINGS, readSignerSettings, spellAddresses } from './rules.ts';

const CAP = `[[cap]]
environment = "live"
asset = "BTC:NATIVE"
per_transaction = "0.1"
per_day = "0.5"
`;

const collectTo = (network: string, address: string) => `[[collect_to]]
environment = "live"
network = "${network}"
address = "${address}"
`;
const receiver = (network: string, address: string) =>
  collectTo(network, address).replace('collect_to', 'receiver');

const safe = (network: string, address = EVM_RECEIVER, owners = `"${EVM_RECEIVER}"`) => `[[safe]]
environment = "live"
network = "${network}"
address = "${address}"
gas_account = "${EVM_RECEIVER}"
owners = [${owners}]
threshold = 1
`;

test('the rules that a new signer has allow nothing', () => {
  const { rules, listening, passphraseFile } = readSignerSettings(FIRST_SETTINGS);
  assert.equal(rules.findCap('live', 'BTC:NATIVE'), undefined);
  assert.equal(passphraseFile, undefined);
  assert.deepEqual(listening, { socket: 'socket', isForGroup: false, tls: undefined });
});

test('everything that is commented out in them is right where it is taken in', () => {
  const text = FIRST_SETTINGS.replaceAll(/^# (?=[[a-z_]+(?:\.\w+)?\]|\[\[|[a-z_]+ =)/gm, '');
  const { rules, listening } = readSignerSettings(text);
  const cap = rules.findCap('live', 'BTC:NATIVE');
  assert.deepEqual(cap, {
    perTransaction: 10_000_000n,
    perDay: 50_000_000n,
    perReceiverPerDay: 20_000_000n,
    secondPersonAbove: 5_000_000n,
    feePerTransaction: 50_000n,
  });
  assert.equal(listening.tls?.port, 7443);
});

test('a mistake is named, and the whole file refused', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['x', /signer.toml: /],
    ['signatures_per_minut = 5', /Unrecognized key/],
    [`${CAP}per_dya = "1"`, /cap\[0\]: Unrecognized key/],
    [CAP.replace('"0.1"', '0.1'), /cap\[0\].per_transaction/],
    [CAP.replace('"0.1"', '"0,1"'), /must be an amount in quotes/],
    [CAP.replace('"0.1"', '"-1"'), /must be an amount in quotes/],
    [CAP.replace('"0.1"', '"0.000000001"'), /BTC:NATIVE has 8 decimals/],
    [CAP.replace('BTC:NATIVE', 'BTC'), /there is no asset BTC/],
    [CAP.replace('live', 'prod'), /cap\[0\].environment/],
    [CAP + CAP, /there are two caps for live BTC:NATIVE/],
    ['[[receiver]]\nenvironment = "live"\nnetwork = "BTC"\naddress = "x"', /there is no BTC/],
    ['[listen.tls]\nport = 1', /listen.tls.key_file/],
    ['only_listed_receivers = "yes"', /only_listed_receivers: .*boolean/],
    ['only_listed_receivers = 1', /only_listed_receivers: .*boolean/],
    ['only_listed_receiver = true', /Unrecognized key/],
    [collectTo('ETH', 'x'), /collect_to\[0\].network: there is no ETH/],
    [collectTo('LITECOIN', 'x'), /collect_to\[0\].network: nothing is swept on LITECOIN/],
    [collectTo('BASE', 'x').replace('live', 'prod'), /collect_to\[0\].environment/],
    [collectTo('BASE', 'x').replace(/address.*/, ''), /collect_to\[0\].address/],
    [`${collectTo('BASE', 'x')}memo = "7"`, /collect_to\[0\]: Unrecognized key/],
    [
      collectTo('BASE', 'x') + collectTo('ETHEREUM', 'x') + collectTo('BASE', 'y'),
      /collect_to\[2\]: there are two addresses for live BASE/,
    ],
    [safe('LITECOIN'), /safe\[0\].network: LITECOIN is no EVM chain/],
    [safe('ETH'), /safe\[0\].network: ETH is no EVM chain/],
    [safe('BASE').replace('= 1', '= 2'), /safe\[0\].threshold: 2 of 1 owners cannot sign/],
    [safe('BASE').replace('= 1', '= 0'), /safe\[0\].threshold/],
    [safe('BASE', 'x', ''), /safe\[0\].owners/],
    [safe('BASE').replace(/gas_account.*/, ''), /safe\[0\].gas_account/],
    [safe('BASE') + safe('BASE'), /safe\[1\]: there are two Safes for live BASE/],
    [`${safe('BASE')}nonce = 1`, /safe\[0\]: Unrecognized key/],
  ];
  for (const [text, pattern] of cases) {
    assert.throws(() => readSignerSettings(text), { code: 'signer_settings_invalid' }, text);
    assert.throws(() => readSignerSettings(text), pattern, text);
  }
});

const spelled = (text: string) =>
  spellAddresses(readSignerSettings(`only_listed_receivers = true\n${text}`).rules, KEYS);

test('addresses are as orders have them, however they are written', () => {
  const text = receiver('BITCOIN', 'BCRT1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KYGT080');
  const { onlyReceivers, collectTo: cold } = spelled(text + collectTo('ETHEREUM', EVM_RECEIVER));
  const addresses = [onlyReceivers?.[0]?.address, cold[0]?.address];
  const [{ address, gasAccount, owners } = {}] = spelled(safe('ETHEREUM')).safes;
  const spelledOnce = EVM_RECEIVER.toLowerCase();
  assert.deepEqual([address, gasAccount, owners], [spelledOnce, spelledOnce, [spelledOnce]]);
  const lower = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  assert.deepEqual(addresses, [lower, EVM_RECEIVER.toLowerCase()]);
});

test('what is no address of its network stops the start, where the signer has a key there', () => {
  const mistyped = EVM_RECEIVER.replace('d8dA', 'D8dA');
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      collectTo('ETHEREUM', mistyped),
      /collect_to\[0\].address: 0xD8dA.* is no address of ETHEREUM/,
    ],
    [collectTo('ETHEREUM', '0x12'), /collect_to\[0\].address: 0x12 is no address/],
    [safe('ETHEREUM', mistyped), /safe\[0\].address: 0xD8dA.* is no address of ETHEREUM/],
    [safe('ETHEREUM', EVM_RECEIVER, '"0x12"'), /safe\[0\].owners\[0\]: 0x12 is no address/],
    [
      safe('ETHEREUM', EVM_RECEIVER, `"${EVM_RECEIVER}", "${EVM_RECEIVER.toLowerCase()}"`),
      /safe\[0\].owners: one is named twice/,
    ],
    [receiver('ETHEREUM', ''), /receiver\[0\].address: {2}is no address of ETHEREUM/],
    [receiver('BITCOIN', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'), /BITCOIN \(regtest\)/],
    [receiver('STELLAR', 'GABC'), /receiver\[0\].address: GABC is no address of STELLAR/],
    [receiver('XRP_LEDGER', 'rNobody'), /rNobody is no address of XRP_LEDGER \(main\)/],
    [receiver('STELLAR', 'G') + receiver('XRP_LEDGER', 'r'), /receiver\[1\].address: r is no/],
  ];
  for (const [text, pattern] of cases) {
    assert.throws(() => spelled(text), { code: 'signer_settings_invalid' }, text);
    assert.throws(() => spelled(text), pattern, text);
  }
  // Of a network without a key: nothing is signed there.
  assert.equal(spelled(receiver('LITECOIN', 'x')).onlyReceivers?.[0]?.address, 'x');
});
