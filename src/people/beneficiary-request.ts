// Beneficiaries as merchants send them (api-contract.md 5 and 8).
import { z } from 'zod';
import { Refusal } from '#base/refusal.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { findNetwork } from '#catalog/network.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { checkShape, faultAt, fields, text } from '#money/exact-schema.ts';
import { ACCOUNT_FIELDS, readAccount } from './account-fields.ts';
import type { AccountValidator } from './account-validator.ts';
import type { Beneficiary } from './beneficiary.ts';

const labelMax = 200;
const liveCoolDownHours = 24;

const label = text(labelMax)
  .transform((given) => given.trim())
  .refine((given) => given !== '', 'must not be empty');

const network = text(40).refine(
  (id) => findNetwork(id)?.transfers === true,
  'must be a network id of GET /networks that takes transfers',
);

const accountShape = Object.fromEntries(
  Object.entries(ACCOUNT_FIELDS).map(([name, description]) => {
    const type = name === 'destinationTag' ? z.union([z.string(), z.int()]) : z.string();
    return [name, type.nullish().meta({ description })];
  }),
);

/** As documented; which fields an account has depends on its network. */
export const beneficiaryRequestSchema = fields({
  beneficiary: fields({
    label,
    network,
    account: z.object(accountShape),
  }),
});

const checkedSchema = fields({
  beneficiary: fields({ label, network, account: z.unknown().optional() }),
});

export type NewBeneficiary = Pick<Beneficiary, 'label' | 'network' | 'account' | 'usableAt'>;

/**
 * Live beneficiaries cool down for a day: a stolen key cannot empty the account at once.
 * @throws Refusal `validation_failed` with one sentence a fault.
 */
export function parseBeneficiary(
  app: { readonly accounts: AccountValidator },
  environment: Environment,
  body: ExactJson,
  now: Temporal.Instant,
): NewBeneficiary {
  const faults: string[] = [];
  const parsed = checkShape(checkedSchema, body, faults);
  const given = givenBeneficiary(body);
  const chosen = typeof given?.network === 'string' ? findNetwork(given.network) : undefined;
  const usableAt = environment === 'live' ? now.add({ hours: liveCoolDownHours }) : now;
  let account: Beneficiary['account'] | undefined;
  // Even when the label is wrong: all faults are told at once.
  if (given !== undefined && chosen !== undefined) {
    const chain = chainOf(environment, chosen.id);
    account = readAccount({ chain, accounts: app.accounts, usableAt }, given.account, faults);
  } else if (given !== undefined && (given.account ?? null) === null) {
    faults.push(faultAt(['beneficiary', 'account'], 'is required'));
  }
  if (parsed === undefined || account === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  return { ...parsed.beneficiary, account, usableAt };
}

function givenBeneficiary(body: ExactJson): { readonly [name: string]: unknown } | undefined {
  const outer = fields({ beneficiary: z.record(z.string(), z.unknown()) }).safeParse(body);
  return outer.data?.beneficiary;
}
