// The links are those that the maker's own library makes for the same payment: encodeProlink of
// @base-org/account 2.5.1, recorded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prolink } from './prolink.ts';

const RECEIVER = '0x52908400098527886E0F7030069857D2E4169EE7';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

const recorded: readonly [uri: string, link: string | undefined][] = [
  [
    `ethereum:${RECEIVER}@8453?value=1`,
    'AAgBEIVCGAFaIggCWhkKFFKQhAAJhSeIbg9wMAaYV9LkFp7nEgEBIgMxLjA',
  ],
  [
    `ethereum:${RECEIVER}@8453?value=255`,
    'AAgBEIVCGAFaIggCWhkKFFKQhAAJhSeIbg9wMAaYV9LkFp7nEgH_IgMxLjA',
  ],
  [
    `ethereum:${RECEIVER}@8453?value=256`,
    'AAgBEIVCGAFaIwgCWhoKFFKQhAAJhSeIbg9wMAaYV9LkFp7nEgIBACIDMS4w',
  ],
  [
    `ethereum:${RECEIVER}@8453?value=150000000000000000`,
    'AAgBEIVCGAFaKQgCWiAKFFKQhAAJhSeIbg9wMAaYV9LkFp7nEggCFOg0jE8AACIDMS4w',
  ],
  [
    `ethereum:${USDC}@8453/transfer?address=${RECEIVER}&uint256=1`,
    'AAgBEIVCGAFaOAgBUi8KFIM1ifzW7bbgj0x8MtT3G1S9oCkTEhRSkIQACYUniG4PcDAGmFfS5Bae5xoBASIDMS4w',
  ],
  [
    `ethereum:${USDC}@8453/transfer?address=${RECEIVER}&uint256=5000000`,
    'AAgBEIVCGAFaOggBUjEKFIM1ifzW7bbgj0x8MtT3G1S9oCkTEhRSkIQACYUniG4PcDAGmFfS5Bae5xoDTEtAIgMxLjA',
  ],
  // The payer would choose the amount: the form cannot say that.
  [`ethereum:${RECEIVER}@8453`, undefined],
  ['bitcoin:bc1q?amount=1', undefined],
];

for (const [uri, link] of recorded) {
  test(`${uri} is the link that the library makes`, () => assert.equal(prolink(uri), link));
}
