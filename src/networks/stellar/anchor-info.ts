// What an anchor says about deposits of one asset (SEP-6, Info), and whether that can be paid by.
import type { Decimal } from '#money/decimal.ts';
import { type AnchorTerms, generalFault, readTerms } from './anchor-terms.ts';
import { isFields } from './horizon-fields.ts';
import type { AnchorFields } from './read-anchor-answer.ts';

export type DepositInfo =
  | {
      readonly kind: 'taken';
      readonly terms: AnchorTerms;
      /** Has to be named when a deposit is asked for, where the anchor names ways of paying it. */
      readonly fundingMethod: string | undefined;
    }
  /** One sentence for the operator and the merchant. */
  | { readonly kind: 'not-taken'; readonly reason: string };

/** What anchors may call the way of paying them by a network. */
export type PaidNetwork = { readonly id: string; readonly name: string };

export function readDepositInfo(
  info: AnchorFields,
  assetCode: string,
  network: PaidNetwork,
  feePercentMost: Decimal,
): DepositInfo {
  const deposit = isFields(info.deposit) ? info.deposit[assetCode] : undefined;
  if (!isFields(deposit) || deposit.enabled !== true) {
    return notTaken('the anchor takes no deposits of this asset now');
  }
  const reading = readTerms(deposit);
  if (reading.kind === 'unreadable') return notTaken(reading.reason);
  const { terms } = reading;
  // SEP-6, Fee: that service is there for fees that these two cannot express.
  const hasFeeService = isFields(info.fee) && info.fee.enabled === true;
  if (hasFeeService && terms.feeFixed === undefined && terms.feePercent === undefined) {
    return notTaken('the anchor does not say in its information what it keeps of a deposit');
  }
  const fault = generalFault(terms, feePercentMost);
  if (fault !== undefined) return notTaken(fault);
  const methods = textsOf(deposit.funding_methods);
  const fundingMethod = methods.length <= 1 ? methods[0] : fittingMethod(methods, network);
  if (methods.length > 1 && fundingMethod === undefined) {
    return notTaken('the anchor names no way of paying it that is this network');
  }
  return { kind: 'taken', terms, fundingMethod };
}

function notTaken(reason: string): DepositInfo {
  return { kind: 'not-taken', reason };
}

/** SEP-6, `funding_method`: one of those the information names. */
function fittingMethod(methods: readonly string[], { id, name }: PaidNetwork): string | undefined {
  return [id, name, 'crypto']
    .map((one) => methods.find((method) => method.toLowerCase() === one.toLowerCase()))
    .find((method) => method !== undefined);
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
