// How the command line names and shows money in suspense.

import { userInfo } from 'node:os';
import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { Suspense } from '#settle/suspense.ts';
import { joinSuspense } from '#suspense/list-suspense.ts';
import { type SuspenseRecord, suspenseView } from '#suspense/suspense-view.ts';
import type { CommandResult, Options, Values } from './command.ts';
import { textOption } from './command.ts';

export const ACT_OPTIONS: Options = { reason: { type: 'string' }, by: { type: 'string' } };
export const ACT_USAGE = '--reason TEXT [--by NAME]';

/** @throws Refusal when no reason is given; whoever is signed in does it unless told. */
export function actInput(values: Values): { readonly actor: string; readonly reason: string } {
  const reason = textOption(values, 'reason');
  if (reason === undefined) throw new Refusal('invalid', 'usage', ['--reason: say why']);
  return { reason, actor: textOption(values, 'by') ?? userInfo().username };
}

/** @throws Refusal */
export function suspenseId(text: string): bigint {
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
  throw new Refusal('invalid', 'usage', [
    `${text}: is not a number of npx quittance suspense list`,
  ]);
}

/** For the operator: with who decided and why. */
export function operatorView(record: SuspenseRecord) {
  return {
    ...JSON.parse(stringifyExact(suspenseView(record))),
    environment: record.suspense.environment,
    merchantId: record.suspense.merchantId ?? null,
    acts: record.acts.map(({ kind, actor, reason, actedAt, transferId, isPayment }) => ({
      kind,
      isPayment: isPayment === true,
      by: actor,
      reason,
      at: actedAt.toString(),
      transferId: transferId ?? null,
    })),
  };
}

export function suspenseLine(record: SuspenseRecord): string {
  const { suspense } = record;
  const view = suspenseView(record);
  const names = [view.checkoutId, view.depositAddressId].find((id) => id !== null);
  const whose = names === undefined ? 'names nobody' : `names ${suspense.purpose} ${names}`;
  const detail = view.detail === null ? '' : `\n    ${view.detail}`;
  return (
    `${view.id}  ${suspense.state}  ${view.amount} ${view.amountAssetCode} on ` +
    `${suspense.environment}:${suspense.network}  ${suspense.reason}  since ${suspense.foundAt}\n` +
    `    ${whose}; in ${view.tx} to ${view.destination}${detail}${assignedText(record)}`
  );
}

/** Whether what was assigned to a checkout pays for it. */
function assignedText({ suspense, acts }: SuspenseRecord): string {
  const last = acts.at(-1);
  if (suspense.state !== 'ASSIGNED' || last?.checkoutId === undefined) return '';
  if (last.isPayment === true) return `\n    it is a payment of checkout ${last.checkoutId}`;
  return (
    `\n    it is the merchant's, in the asset it came in, and does not pay for checkout ` +
    `${last.checkoutId}: it could not be valued, or EXPOSURE_LIMIT_USD does not cover converting it`
  );
}

export async function suspenseResult(db: Reader, suspense: Suspense): Promise<CommandResult> {
  const [record] = await joinSuspense(db, [suspense]);
  if (record === undefined) throw new Error('suspense has a receipt');
  return { text: suspenseLine(record), json: { suspense: operatorView(record) } };
}
