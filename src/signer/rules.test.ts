import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_SETTINGS, readSignerSettings } from './rules.ts';

const CAP = `[[cap]]
environment = "live"
asset = "BTC:NATIVE"
per_transaction = "0.1"
per_day = "0.5"
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
  ];
  for (const [text, pattern] of cases) {
    assert.throws(() => readSignerSettings(text), { code: 'signer_settings_invalid' }, text);
    assert.throws(() => readSignerSettings(text), pattern, text);
  }
});
