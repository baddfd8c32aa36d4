// A beneficiary as a merchant sends it (api-contract.md 5 and 8), checked and written.
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { findNetwork } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, sql } from '#db/db.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { checkShape, faultAt, fields, textUpTo } from '#money/exact-schema.ts';
import { ACCOUNT_FIELDS, type AccountValidator, readReceivingAccount } from './account-fields.ts';
import { BENEFICIARY, type Beneficiary, type SealKeys, sealOfBeneficiary } from './beneficiary.ts';

const LABEL_MAX = 200;
const LIVE_COOL_DOWN_HOURS = 24;

const label = textUpTo(LABEL_MAX)
  .transform((given) => given.trim())
  .refine((given) => given !== '', 'must not be empty');

const network = textUpTo(40).refine(
  (id) => findNetwork(id)?.transfers === true,
  'must be a network id of GET /networks that takes transfers',
);

const { destinationTag: tagMeaning, ...TEXTS } = ACCOUNT_FIELDS;
const ACCOUNT_SHAPE = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([name, description]) => {
      return [name, z.string().nullish().meta({ description })];
    }),
  ),
  destinationTag: z.int().nonnegative().nullish().meta({ description: tagMeaning }),
};

/** Of every network, all of them optional: what a request may give and an answer may have. */
export const beneficiaryAccountSchema = z.object(ACCOUNT_SHAPE).meta({ id: 'BeneficiaryAccount' });

/** As documented; which fields an account has depends on its network. */
export const beneficiaryRequestSchema = fields({
  beneficiary: fields({
    label,
    network,
    account: beneficiaryAccountSchema,
  }).meta({ id: 'BeneficiaryFields' }),
}).meta({ id: 'CreateBeneficiaryRequest' });

const CHECKED_SCHEMA = fields({
  beneficiary: fields({ label, network, account: z.unknown().optional() }),
});

export type CreateBeneficiaryApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: AccountValidator;
  readonly keyring: SealKeys;
};

/** @throws Refusal `validation_failed`, or conflict `label_taken`. */
export async function createBeneficiary(
  app: CreateBeneficiaryApp,
  { merchantId, environment }: Owner,
  body: ExactJson,
): Promise<Beneficiary> {
  // As exactly as the database keeps it: the end of the cool-down is sealed.
  const now = app.clock.now().round('millisecond');
  const given = parseBeneficiary(app, environment, body, now);
  const beneficiary = { ...given, id: newId(app.random), merchantId, environment, createdAt: now };
  const row = { ...beneficiary, seal: sealOfBeneficiary(app.keyring, beneficiary) };
  const unlessTaken = sql`on conflict (merchant_id, environment, label) where deleted_at is null
    do nothing returning id`;
  const written = await app.db.single((tx) => tx.query(BENEFICIARY.insert([row], unlessTaken)));
  if (written.length === 0) {
    const message = 'beneficiary.label: another beneficiary has this label';
    throw new Refusal('conflict', 'label_taken', message);
  }
  return beneficiary;
}

type NewBeneficiary = Pick<Beneficiary, 'label' | 'network' | 'account' | 'usableAt'>;

/**
 * Live beneficiaries cool down for a day: a stolen key cannot empty the account at once.
 * @throws Refusal `validation_failed` with one sentence a fault.
 */
function parseBeneficiary(
  app: { readonly accounts: AccountValidator },
  environment: Environment,
  body: ExactJson,
  now: Temporal.Instant,
): NewBeneficiary {
  const faults: string[] = [];
  const parsed = checkShape(CHECKED_SCHEMA, body, faults);
  const given = givenBeneficiary(body);
  const chosen = typeof given?.network === 'string' ? findNetwork(given.network) : undefined;
  const usableAt = environment === 'live' ? now.add({ hours: LIVE_COOL_DOWN_HOURS }) : now;
  let account: Beneficiary['account'] | undefined;
  // Even when the label is wrong: all faults are told at once.
  if (given !== undefined && chosen !== undefined) {
    const chain = chainOf(environment, chosen.id);
    account = readReceivingAccount(
      { chain, accounts: app.accounts, usableAt },
      given.account,
      faults,
    );
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
