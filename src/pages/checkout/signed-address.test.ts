// What is signed is where to pay, whole: a changed sign, another network or another memo is none of
// ours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '#base/random.ts';
import { keyringOf } from '#installation/keyring.ts';
import { isSignedPlace, signPlace } from './signed-address.ts';

const keyring = keyringOf(new Uint8Array(32).fill(7), systemRandom);
const other = keyringOf(new Uint8Array(32).fill(8), systemRandom);
const place = {
  network: 'STELLAR',
  address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  memo: '4821907715',
};
const signature = signPlace(keyring, place);
const { publicKey } = keyring;

test('an address of ours is known by its signature, the same from every start', () => {
  assert.equal(isSignedPlace(publicKey, place, signature), true);
  assert.equal(signPlace(keyringOf(new Uint8Array(32).fill(7), systemRandom), place), signature);
  assert.equal(publicKey.length, 32);
});

const CHANGED: readonly (readonly [name: string, place: typeof place, signature: string])[] = [
  ['another address', { ...place, address: place.address.replace('G', 'H') }, signature],
  ['another network', { ...place, network: 'STELLAR_2' }, signature],
  ['another memo', { ...place, memo: '4821907716' }, signature],
  ['no memo', { ...place, memo: '' }, signature],
  [
    'parts that moved over a line',
    { ...place, address: `${place.address}\n1`, memo: '' },
    signature,
  ],
  ['another signature', place, signPlace(other, place)],
  ['no signature', place, ''],
  ['what is no signature', place, 'A'.repeat(86)],
  ['a longer one', place, `${signature}A`],
];

for (const [name, changed, given] of CHANGED) {
  test(`none of ours: ${name}`, () => {
    assert.equal(isSignedPlace(publicKey, changed, given), false);
  });
}

test('the public key of another installation takes nothing of ours', () => {
  assert.equal(isSignedPlace(other.publicKey, place, signature), false);
});
