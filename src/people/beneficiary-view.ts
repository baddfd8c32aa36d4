import { timestamp } from '#base/timestamp.ts';
import type { Beneficiary, BeneficiaryAccount } from './beneficiary.ts';

/** `beneficiary` of the wire: the account with the fields that were given. */
export function beneficiaryView(beneficiary: Beneficiary) {
  const { id, label, network, account, createdAt, usableAt } = beneficiary;
  return {
    id,
    label,
    network,
    account: accountView(account),
    timestamp: timestamp(createdAt),
    usableTime: timestamp(usableAt),
  };
}

/** A destination tag is a number here as in deposit instructions. */
function accountView({ destinationTag, ...account }: BeneficiaryAccount) {
  return destinationTag === undefined
    ? account
    : { ...account, destinationTag: Number(destinationTag) };
}
