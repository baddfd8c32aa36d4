import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideSeen } from './decide-seen.ts';

const signed = { kind: 'PAY', transaction: 'ours' } as const;
const part = {
  departureId: 1n,
  number: 1,
  chain: 'live:ETHEREUM',
  creditKey: 'ours:0',
  destination: 'payer',
  assetId: 'ETH:NATIVE',
  units: 1n,
  gotAssetId: undefined,
  gotUnits: undefined,
  claimableId: undefined,
  reclaimableAt: undefined,
  orderId: undefined,
  purpose: undefined,
  transferId: undefined,
  decidedBy: undefined,
  reason: undefined,
  decidedAt: undefined,
} as const;
type Part = typeof part;
const left = (transaction: string, isFinal: boolean, parts: readonly Part[] = [part]) => {
  const bookedAt = isFinal ? Temporal.Instant.fromEpochMilliseconds(0) : undefined;
  return { transaction, spends: [] as string[], isFinal, bookedAt, parts };
};
/** Sent by somebody else, who names what the owners signed. */
const carriedOut = (parts: readonly Part[]) => {
  return { ...left('by somebody', true, parts), spends: ['ours'] };
};

for (const [what, seen, expected] of [
  ['nothing left', [], undefined],
  ['it is on its way', [left('ours', false)], false],
  ['it landed', [left('ours', true)], false],
  ['it failed, and is not final', [left('ours', false, [])], false],
  ['it failed for ever', [left('ours', true, [])], true],
  ['another spends the same, and is not final', [left('other', false)], undefined],
  ['another spent the same for ever', [left('other', true)], true],
  [
    'what spent the same for ever is not booked, and may be the same payment',
    [{ ...left('other', true), bookedAt: undefined }],
    false,
  ],
  [
    'what pays nobody else is known at once',
    [{ ...left('other', true, []), bookedAt: undefined }],
    true,
  ],
  ['it was carried out by somebody', [carriedOut([part])], false],
  ['somebody carried it out, and it failed', [carriedOut([])], true],
  ['both are seen', [left('other', true), left('ours', false)], false],
] as const) {
  test(`${what}: ${expected === undefined ? 'nobody knows' : `over is ${expected}`}`, () => {
    assert.equal(decideSeen(signed, seen), expected);
  });
}

test('what pays nobody is over when it landed for ever', () => {
  const cancelling = { ...signed, kind: 'CANCEL' } as const;
  assert.equal(decideSeen(cancelling, [left('ours', false)]), false);
  assert.equal(decideSeen(cancelling, [left('ours', true)]), true);
});
