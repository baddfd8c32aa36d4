// An account that creates checkouts and owns balances, and the SQL of its two tables: the merchant,
// and what it has for each environment.
import { askingColumn } from '#ask/ask.ts';
import { Refusal } from '#base/refusal.ts';
import type { RiskLevel } from '#catalog/asset.ts';
import { type ChainId, type Environment, environmentOf, networkOf } from '#catalog/chain.ts';
import type { ConfirmationTiers } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import { listWaysNow, type ReceivingNetworks } from '#catalog/way.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { placeOldestFirst } from '#db/page-cursor.ts';
import {
  bytes,
  defineTable,
  flag,
  integer,
  json,
  moment,
  nullable,
  optional,
  propertiesOf,
  type Row,
  selectOnly,
  text,
  texts,
} from '#db/table.ts';
import {
  type AskedConfirmations,
  confirmationsFault,
  givenWays,
  settlementFault,
  unusual,
  waysFault,
} from './check-wishes.ts';

/** Defaults of a merchant's checkouts; who is charged what. */
const SETTINGS = {
  name: text(),
  /** Null: the name is shown. */
  shopName: selectOnly(nullable(text())),
  sellerInfo: selectOnly(nullable(text())),
  asking: selectOnly(nullable(askingColumn)),
  displayBuyerInfo: selectOnly(flag),
  displaySellerInfo: selectOnly(flag),
  feePartsPerMillion: selectOnly(integer),
  underpaidTolerancePartsPerMillion: selectOnly(integer),
  /** What late money must be worth, of the total, to complete a sale by itself. */
  lateFloorPartsPerMillion: selectOnly(integer),
  /** After its window, in which late money completes a sale by itself; 36500 is any time. */
  lateDays: selectOnly(integer),
};
const SETTING_NAMES = propertiesOf(SETTINGS);

export const MERCHANT = defineTable('merchant', {
  id: text(),
  ...SETTINGS,
  sealedDataKey: bytes,
  createdAt: moment,
});
type MerchantSettings = Pick<Row<typeof MERCHANT>, keyof typeof SETTINGS>;

const LISTED = MERCHANT.only('id', 'name', 'createdAt');
export type Merchant = Row<typeof LISTED>;

export const MERCHANT_ENVIRONMENT = defineTable('merchant_environment', {
  merchantId: text(),
  environment: text<Environment>(),
  sealedWebhookSecret: bytes,
  /** While a rotation is under way. */
  sealedPreviousWebhookSecret: selectOnly(optional(bytes)),
  previousWebhookSecretUntil: selectOnly(optional(moment)),
  /** CIDR ranges that may call; undefined: any address may, empty: none. */
  callAddresses: selectOnly(optional(texts())),
  /** CIDR ranges that may move money out. */
  withdrawalAddresses: selectOnly(texts()),
  /** Riskier assets are neither offered nor settled in. */
  riskTolerance: selectOnly(text<RiskLevel>()),
  /** Undefined: nobody has said. */
  preferredAuthentication: selectOnly(optional(text<AuthenticationMethod>())),
  /** Kinds of mails that its customers get (customer-mails.ts). */
  customerMails: selectOnly(texts()),
  /** Payers may have themselves told by e-mail on their page. */
  payerMails: selectOnly(flag),
  /** What is sold by hand, by links and invoices is credited in it; ORIGIN: as it was paid. */
  settlementAsset: selectOnly(text()),
  /** Ways to pay (`wayName`) in the order of customers; what is not listed comes after them. */
  methodOrder: selectOnly(texts()),
  /** Ways to pay that new checkouts do not offer. */
  methodsOff: selectOnly(texts()),
  /** Ways to pay that pages show first, in this order, and mark. */
  methodsRecommended: selectOnly(texts()),
  /** Beyond what the server asks, by network id. */
  confirmations: selectOnly(json<AskedConfirmations>()),
});

/** The oldest merchant: in a fresh installation, the one it was set up for. */
export async function findFirstMerchant(reader: Reader): Promise<Merchant | undefined> {
  const [first] = await listMerchants(reader, { limit: 1 });
  return first;
}

export async function hasOtherMerchants(reader: Reader, merchantId: string): Promise<boolean> {
  const oldest = await listMerchants(reader, { limit: 2 });
  return oldest.some(({ id }) => id !== merchantId);
}

/** Oldest first; the next page begins after the last merchant of this one. */
export function listMerchants(
  reader: Reader,
  { after, limit }: { readonly after?: Merchant | undefined; readonly limit: number },
): Promise<Merchant[]> {
  const { at, id } = placeOldestFirst(after && { at: after.createdAt, id: after.id });
  return LISTED.select(
    reader,
    sql`where (created_at, id) > (${at}, ${id}) order by created_at, id limit ${limit}`,
  );
}

export async function isMerchant(reader: Reader, id: string): Promise<boolean> {
  return (await reader.query(sql`select 1 from merchant where id = ${id}`)).length === 1;
}

/**
 * Nobody else changes what it has (settings, logo, domains) until the transaction ends.
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function lockMerchant(tx: Tx, id: string): Promise<void> {
  const rows = await tx.query(sql`select id from merchant where id = ${id} for no key update`);
  if (rows.length === 0) throw unknownMerchant(id);
}

/**
 * Changes the settings that are given. The database refuses what is out of range
 * (ConstraintViolation): a fee above 50 %, a tolerance above 2 %, a floor for
 * late money below 50 %.
 */
export async function changeMerchant(
  app: { readonly db: Db },
  id: string,
  settings: Partial<MerchantSettings>,
): Promise<void> {
  const rows = await app.db.single((tx) =>
    tx.query(sql`
      update merchant set ${MERCHANT.changed(SETTING_NAMES, settings)}
      where id = ${id} returning id`),
  );
  if (rows.length === 0) throw unknownMerchant(id);
}

/** For a statement that reads what merchants have: as `m`, by a column with their id. */
export function joinMerchant(merchantId: Statement): Statement {
  return sql`join merchant m on m.id = ${merchantId}`;
}

/** The same for one environment of a merchant: as `e`. */
export function joinEnvironment(merchantId: Statement, environment: Statement): Statement {
  return sql`
    join merchant_environment e on e.merchant_id = ${merchantId}
      and e.environment = ${environment}`;
}

const RISK = MERCHANT_ENVIRONMENT.only('riskTolerance');
const ALLOWED = MERCHANT_ENVIRONMENT.only('callAddresses', 'withdrawalAddresses');
export type AllowedAddresses = Row<typeof ALLOWED>;

/** @throws Refusal `missing` for an unknown merchant. */
export async function readRiskTolerance(reader: Reader, owner: Owner): Promise<RiskLevel> {
  const row = await RISK.find(reader, sql`where ${ownedBy(owner)}`);
  if (row === undefined) throw unknownMerchant(owner.merchantId);
  return row.riskTolerance;
}

/** Digest signatures are always taken; BASIC: `X-Basic` as well. */
export const AUTHENTICATION_METHODS = ['DIGEST', 'BASIC'] as const;
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];
const AUTHENTICATION = MERCHANT_ENVIRONMENT.only('preferredAuthentication');

/** What is sent along unsigned is enough to try things out. @throws Refusal as above. */
export async function readPreferredAuthentication(
  reader: Reader,
  owner: Owner,
): Promise<AuthenticationMethod> {
  const row = await AUTHENTICATION.find(reader, sql`where ${ownedBy(owner)}`);
  if (row === undefined) throw unknownMerchant(owner.merchantId);
  return row.preferredAuthentication ?? (owner.environment === 'test' ? 'BASIC' : 'DIGEST');
}

/** What an account says of payment, where nobody says otherwise. */
const WISH_NAMES = [
  'settlementAsset',
  'methodOrder',
  'methodsOff',
  'methodsRecommended',
  'confirmations',
] as const;
const WISHES = MERCHANT_ENVIRONMENT.only(...WISH_NAMES);
export type PaymentWishes = Row<typeof WISHES>;

/** @throws Refusal as above. */
export async function readPaymentWishes(reader: Reader, owner: Owner): Promise<PaymentWishes> {
  const row = await WISHES.find(reader, sql`where ${ownedBy(owner)}`);
  if (row === undefined) throw unknownMerchant(owner.merchantId);
  return row;
}

/** New checkouts follow them; what is not given stays. @throws Refusal as above. */
export async function changePaymentWishes(
  app: { readonly db: Db },
  owner: Owner,
  wishes: Partial<PaymentWishes>,
): Promise<void> {
  await changeEnvironment(app, owner, MERCHANT_ENVIRONMENT.changed(WISH_NAMES, wishes));
}

type WishesApp = { readonly db: Db; readonly networks: ReceivingNetworks };

/**
 * The same for whoever asks for it, who may be wrong.
 * @throws Refusal invalid `settlement`, `methods`, `depths`; missing for an unknown merchant
 */
export async function setPaymentWishes(
  app: WishesApp,
  owner: Owner,
  wishes: Partial<PaymentWishes>,
): Promise<void> {
  const [before, risk] = await Promise.all([
    readPaymentWishes(app.db, owner),
    readRiskTolerance(app.db, owner),
  ]);
  const { settlementAsset, confirmations } = wishes;
  const ways = givenWays(wishes);
  const faults = [
    settlementAsset === undefined ? undefined : settlementFault(settlementAsset, risk),
    Object.keys(ways).length === 0
      ? undefined
      : waysFault(
          { ...before, ...ways },
          before,
          listWaysNow(app.networks, owner.environment, risk),
        ),
    confirmations === undefined ? undefined : confirmationsFault(confirmations),
  ].filter((fault) => fault !== undefined);
  const [first] = faults;
  if (first !== undefined) {
    throw new Refusal(
      'invalid',
      first.code,
      faults.map(({ said }) => said),
    );
  }
  const asked = confirmations && { confirmations: unusual(confirmations, owner.environment) };
  await changePaymentWishes(app, owner, { ...wishes, ...asked });
}

/** What the trail says of it. */
export function wishDetails(wishes: Partial<PaymentWishes>): Readonly<Record<string, string>> {
  const { settlementAsset, confirmations } = wishes;
  const ways = Object.entries(givenWays(wishes));
  return {
    ...(settlementAsset !== undefined && { settlementAsset }),
    ...Object.fromEntries(ways.map(([name, listed]) => [name, listed.join(', ')])),
    ...(confirmations !== undefined && { confirmations: JSON.stringify(confirmations) }),
  };
}

const ASKED = MERCHANT_ENVIRONMENT.only('merchantId', 'confirmations');

/** Who asks for more confirmations on a chain than the server, by merchant: mostly nobody. */
export async function listAskedConfirmations(
  reader: Reader,
  chain: ChainId,
): Promise<ReadonlyMap<string, ConfirmationTiers>> {
  const rows = await ASKED.select(
    reader,
    sql`where environment = ${environmentOf(chain)} and confirmations <> '{}'`,
  );
  const network = networkOf(chain);
  return new Map(
    rows.flatMap(({ merchantId, confirmations: { [network]: tiers } }) =>
      tiers === undefined ? [] : [[merchantId, tiers] as const],
    ),
  );
}

const FEE = MERCHANT.only('feePartsPerMillion');

/** @throws Refusal as above. */
export async function readFeePartsPerMillion(reader: Reader, merchantId: string): Promise<number> {
  const row = await FEE.find(reader, sql`where id = ${merchantId}`);
  if (row === undefined) throw unknownMerchant(merchantId);
  return row.feePartsPerMillion;
}

/** New checkouts, deposit addresses and swaps follow it. @throws Refusal as above. */
export async function changeRiskTolerance(
  app: { readonly db: Db },
  owner: Owner,
  riskTolerance: RiskLevel,
): Promise<void> {
  await changeEnvironment(app, owner, sql`risk_tolerance = ${riskTolerance}`);
}

/** `change`: what is set. Returns which addresses are listed then. @throws Refusal as above. */
export async function changeEnvironment(
  { db }: { readonly db: Db },
  owner: Owner,
  change: Statement,
): Promise<AllowedAddresses> {
  const [row] = await db.single((tx) =>
    tx.query<object>(sql`
      update merchant_environment set ${change} where ${ownedBy(owner)}
      returning ${ALLOWED.columns}`),
  );
  if (row === undefined) throw unknownMerchant(owner.merchantId);
  return ALLOWED.parse(row);
}

/** @throws Refusal as above. */
export async function readAllowed(reader: Reader, owner: Owner): Promise<AllowedAddresses> {
  const row = await ALLOWED.find(reader, sql`where ${ownedBy(owner)}`);
  if (row === undefined) throw unknownMerchant(owner.merchantId);
  return row;
}

const TERMS = MERCHANT.only(
  'lateFloorPartsPerMillion',
  'lateDays',
  'underpaidTolerancePartsPerMillion',
);
/** When money that comes late, or is a little too little, completes a sale by itself. */
type PaidTerms = {
  /** What it must be worth, of the total. */
  readonly lateFloorPartsPerMillion: number;
  /** After the end of its window; the most is any time. */
  readonly lateDays: number;
  /** What may be missing in time, of the total. */
  readonly underpaidTolerancePartsPerMillion: number;
};

export const LATE_DAYS_MOST = 36_500;
/** In parts per million. */
const FLOOR_LEAST = 500_000;
const TOLERANCE_MOST = 20_000;
const WHOLE = 1_000_000;
const PARTS_A_PERCENT = 10_000;

/** @throws Refusal `missing` for an unknown merchant. */
export async function readPaidTerms(reader: Reader, merchantId: string): Promise<PaidTerms> {
  const row = await TERMS.find(reader, sql`where id = ${merchantId}`);
  if (row === undefined) throw unknownMerchant(merchantId);
  return row;
}

/** A percentage from 50 to 100 with at most four digits after the point; undefined for all else. */
export function floorOfPercent(text: string): number | undefined {
  const parts = partsOfPercent(text);
  return parts !== undefined && parts >= FLOOR_LEAST && parts <= WHOLE ? parts : undefined;
}

/** The same from 0 to 2. */
export function toleranceOfPercent(text: string): number | undefined {
  const parts = partsOfPercent(text);
  return parts !== undefined && parts <= TOLERANCE_MOST ? parts : undefined;
}

function partsOfPercent(text: string): number | undefined {
  const [, whole, digits = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return Number(whole) * PARTS_A_PERCENT + Number(digits.padEnd(4, '0'));
}

/** As `floorOfPercent` and `toleranceOfPercent` read it. */
export function percentOfParts(parts: number): string {
  const whole = Math.floor(parts / PARTS_A_PERCENT);
  const digits = String(parts % PARTS_A_PERCENT)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return digits === '' ? `${whole}` : `${whole}.${digits}`;
}

/** Whole days from 0 to the most; undefined for all else. */
export function lateDaysOf(text: string): number | undefined {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : undefined;
  return days !== undefined && days <= LATE_DAYS_MOST ? days : undefined;
}

export function unknownMerchant(id: string): Refusal {
  return new Refusal('missing', 'merchant_unknown', `There is no merchant ${id}.`);
}

/** By id. */
export async function findMerchantNames(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await LISTED.select(reader, sql`where id = any(${ids}::text[])`);
  return new Map(found.map(({ id, name }) => [id, name]));
}
