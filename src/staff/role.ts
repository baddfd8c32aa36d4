// What a person may do with a merchant: one table, role by act. Pure. Whoever runs the installation
// has a role of his own, which says nothing of any merchant's money.

import type { Environment } from '#catalog/chain.ts';

export const STAFF_ROLES = [
  'OWNER',
  'ADMIN',
  'DEVELOPER',
  'ACCOUNTANT',
  'CASHIER',
  'VIEWER',
] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** What pages ask for. Each route of the dashboard names one of them. */
export const STAFF_ACTS = [
  /** See checkouts, customers, payments. */
  'see-sales',
  /** Make a checkout, take money at the counter, cancel what is not paid. */
  'sell',
  /** Accept what is too little, send a webhook again. */
  'decide-checkout',
  /** Write on a checkout what the shop should know of it. */
  'note',
  'refund',
  /** See balances, the ledger, swaps and transfers. */
  'see-money',
  /** Swap, transfer, settle automatically, beneficiaries. */
  'move-money',
  /** Clear for good what is personal of a customer. */
  'erase',
  /** Be the second person for what another one began. */
  'approve',
  /** Reports and exports. */
  'report',
  /** See webhooks, deliveries, and that keys exist. */
  'see-development',
  /** Keys, secrets, webhooks, allow-lists. */
  'develop',
  /** Profile, branding, domain, methods, risk tolerance. */
  'settings',
  /** Invite, change roles, remove. */
  'people',
  'see-trail',
] as const;
export type StaffAct = (typeof STAFF_ACTS)[number];

const EVERYTHING = new Set<StaffAct>(STAFF_ACTS);

const MAY: Readonly<Record<StaffRole, ReadonlySet<StaffAct>>> = {
  OWNER: EVERYTHING,
  // Runs the shop day by day; money leaves and people come by the owner's hand alone.
  ADMIN: EVERYTHING.difference(new Set<StaffAct>(['move-money', 'people'])),
  DEVELOPER: new Set(['see-sales', 'see-development', 'develop', 'see-trail']),
  ACCOUNTANT: new Set(['see-sales', 'see-money', 'report', 'see-trail']),
  CASHIER: new Set(['see-sales', 'sell', 'note']),
  VIEWER: new Set(['see-sales']),
};

export function mayAct(role: StaffRole, act: StaffAct): boolean {
  return MAY[role].has(act);
}

/** What a key may be limited to and that moves money, or lets it go. */
const MONEY_SCOPES: readonly string[] = ['money', 'approve'];

/**
 * Whether somebody may make a key with these scopes, or learn its secret: nobody gets from a key
 * what his role does not give. `scopes`: null: everything. Test keys move nothing real.
 */
export function mayHoldKey(
  role: StaffRole,
  environment: Environment,
  scopes: readonly string[] | null,
): boolean {
  if (!mayAct(role, 'develop')) return false;
  const movesMoney = scopes === null || scopes.some((scope) => MONEY_SCOPES.includes(scope));
  return environment === 'test' || !movesMoney || mayAct(role, 'move-money');
}

/**
 * What somebody may hear of events, as scopes of a key: undefined is everything. Who may not see
 * money is not told of what is sent out; test keys tell of nothing real.
 */
export function hearsWith(
  role: StaffRole,
  environment: Environment,
): readonly string[] | undefined {
  return environment === 'test' || mayAct(role, 'see-money') ? undefined : ['read', 'checkout'];
}

/** Money, keys, people or customers are not as before after them: they ask for a recent proof. */
const ASKS_FRESH: ReadonlySet<StaffAct> = new Set([
  'refund',
  'move-money',
  'erase',
  'approve',
  'develop',
  'people',
]);

export function asksFreshSignIn(act: StaffAct): boolean {
  return ASKS_FRESH.has(act);
}

/** What people may be mailed of a merchant, and which act each asks for. */
const MAIL_ASKS = {
  PAID: 'see-sales',
  NEEDS_PERSON: 'decide-checkout',
  DAILY_SUMMARY: 'see-money',
} as const satisfies Readonly<Record<string, StaffAct>>;
export type StaffMailKind = keyof typeof MAIL_ASKS;
export const STAFF_MAILS = Object.keys(MAIL_ASKS) as readonly StaffMailKind[];

export function mayGetMail(role: StaffRole, kind: StaffMailKind): boolean {
  return mayAct(role, MAIL_ASKS[kind]);
}

/** `wishes`: undefined: he has not said. Owners hear what nobody else would decide. */
export function getsMail(
  role: StaffRole,
  wishes: readonly string[] | undefined,
  kind: StaffMailKind,
): boolean {
  if (!mayGetMail(role, kind)) return false;
  return wishes === undefined ? role === 'OWNER' && kind === 'NEEDS_PERSON' : wishes.includes(kind);
}
