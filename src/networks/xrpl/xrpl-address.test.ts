import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58xrp } from '@scure/base';
import fc from 'fast-check';
import {
  accountRootIndex,
  classicAccountId,
  classicAddress,
  readXAddress,
} from './xrpl-address.ts';
import { XRPL_CHAINS } from './xrpl-chain.ts';

const { main, test: testChain } = XRPL_CHAINS;

/** Examples of XLS-5 and of xrpl.org, Address Encodings: ACCOUNT_ZERO, ACCOUNT_ONE, the genesis. */
const KNOWN: readonly [address: string, id: string][] = [
  ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', '00'.repeat(20)],
  ['rrrrrrrrrrrrrrrrrrrrBZbvji', `${'00'.repeat(19)}01`],
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'B5F762798A53D543A014CAF8B297CFF8F2F937E8'],
];

test('known addresses are their accounts', () => {
  for (const [address, id] of KNOWN) {
    assert.equal(classicAccountId(address)?.toString('hex').toUpperCase(), id);
    assert.equal(classicAddress(Buffer.from(id, 'hex')), address);
  }
});

test('an address with one character changed is none', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      (id, at, by) => {
        const address = classicAddress(id);
        assert.deepEqual(classicAccountId(address), Buffer.from(id));
        const letters = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
        const place = 1 + (at % (address.length - 1));
        const others = [...letters].filter((letter) => letter !== address[place]);
        const wrong =
          address.slice(0, place) + others[by % others.length] + address.slice(place + 1);
        assert.equal(classicAccountId(wrong), undefined);
      },
    ),
  );
});

/** The published test vectors of XLS-5: one account, with and without tags, on both networks. */
const X_ADDRESSES = [
  ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', undefined],
  ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu', 1n],
  ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS', 14n],
  ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A', 11747n],
] as const;

test('an X-address is an account and perhaps a tag, of one network', () => {
  for (const [address, tag] of X_ADDRESSES) {
    assert.deepEqual(readXAddress(address, main.xAddressPrefix), {
      account: 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
      tag,
    });
    assert.equal(readXAddress(address, testChain.xAddressPrefix), undefined);
    const slip = `${address.slice(0, -1)}${address.endsWith('Z') ? 'Y' : 'Z'}`;
    assert.equal(readXAddress(slip, main.xAddressPrefix), undefined);
  }
  assert.equal(readXAddress(base58xrp.encode(new Uint8Array(35)), main.xAddressPrefix), undefined);
});

test('the entry of an account has the published index', () => {
  // xrpl.org, account_tx: the AccountRoot of r48Q... in the metadata of its own transaction.
  const id = classicAccountId('r48QyLLbot7VCfw325LrXAUtP6CRfU3tb4');
  assert(id !== undefined);
  assert.equal(
    accountRootIndex(id),
    '6221E36CC407593A1E74EC8BDCEF82BFF1C4275B92FC4D6877AA9013214133CA',
  );
});
