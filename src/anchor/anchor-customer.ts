// What an anchor wants to know about us (SEP-12), out of what the operator has set. Guarantees:
// told is what the anchor asked for and nothing else, and only fields of SEP-9 that are text; it
// goes to the anchor's own service after the log-in (SEP-10) and nowhere else, no log and no page;
// nothing is told again and again.

import type { Clock } from '#base/clock.ts';
import { isJsonObject } from '#money/exact-json.ts';
import type { AnchorSession } from './anchor-session.ts';

/** What the operator has set, by the names of SEP-9. */
export type AboutUs = Readonly<Record<string, string>>;

/** SEP-9, the fields of persons and organisations that are text. */
export const SEP9_FIELDS: ReadonlySet<string> = new Set([
  ...'family_name last_name given_name first_name additional_name address_country_code'.split(' '),
  ...'state_or_province city postal_code address mobile_number mobile_number_format'.split(' '),
  ...'email_address birth_date birth_place birth_country_code tax_id tax_id_name'.split(' '),
  ...'occupation employer_name employer_address language_code id_type id_country_code'.split(' '),
  ...'id_issue_date id_expiration_date id_number sex referral_id'.split(' '),
  'organization.name',
  'organization.VAT_number',
  'organization.registration_number',
  'organization.registration_date',
  'organization.registered_address',
  'organization.number_of_shareholders',
  'organization.shareholder_name',
  'organization.address_country_code',
  'organization.state_or_province',
  'organization.city',
  'organization.postal_code',
  'organization.director_name',
  'organization.website',
  'organization.email',
  'organization.phone',
]);

/** Two fields of SEP-9 that hold the same thing. */
const ALIASES: Readonly<Record<string, string>> = {
  family_name: 'last_name',
  last_name: 'family_name',
  given_name: 'first_name',
  first_name: 'given_name',
};

type CustomerAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'told'; readonly fields: AboutUs }
  | { readonly kind: 'refused'; readonly reason: string };

/** What follows from an answer of GET /customer (SEP-12, Customer Statuses). */
function decideCustomer(answer: Readonly<Record<string, unknown>>, known: AboutUs): CustomerAnswer {
  const { status } = answer;
  if (status === 'ACCEPTED') return { kind: 'accepted' };
  if (status === 'NEEDS_INFO') {
    const wanted = isJsonObject(answer.fields) ? Object.entries(answer.fields) : [];
    const required = wanted.filter(([, field]) => isJsonObject(field) && field.optional !== true);
    const unfit = required.find(([name, field]) => !isChoice(field, knownValue(name, known)));
    if (unfit !== undefined) {
      return { kind: 'refused', reason: `the anchor takes another ${shownText(unfit[0])} only` };
    }
    return fieldsToTell(
      required.map(([name]) => name),
      known,
    );
  }
  const message = typeof answer.message === 'string' ? `: ${shownText(answer.message)}` : '';
  const state =
    status === 'PROCESSING' || status === 'REJECTED'
      ? { PROCESSING: 'is still looking at', REJECTED: 'has rejected' }[status]
      : 'does not say what it thinks of';
  return { kind: 'refused', reason: `the anchor ${state} what it knows about us${message}` };
}

/** What is told of the fields an anchor asks for: all of them or nothing. */
function fieldsToTell(names: readonly string[], known: AboutUs): CustomerAnswer {
  const missing = names.filter((name) => knownValue(name, known) === undefined);
  if (missing.length > 0) {
    const list = missing.slice(0, NAMED_MOST).map(shownText).join(', ');
    const reason = `the anchor wants to know ${list}; set it in STELLAR_ANCHOR_CUSTOMER, or tell the anchor by hand`;
    return { kind: 'refused', reason };
  }
  if (names.length === 0) {
    return { kind: 'refused', reason: 'the anchor wants to know more about us and not what' };
  }
  return {
    kind: 'told',
    fields: Object.fromEntries(names.map((name) => [name, knownValue(name, known) ?? ''])),
  };
}

const NAMED_MOST = 10;

function knownValue(name: string, known: AboutUs): string | undefined {
  if (!SEP9_FIELDS.has(name)) return undefined;
  const alias = ALIASES[name];
  return known[name] ?? (alias === undefined ? undefined : known[alias]);
}

function isChoice(field: unknown, value: string | undefined): boolean {
  const choices = isJsonObject(field) ? field.choices : undefined;
  return value === undefined || !Array.isArray(choices) || choices.includes(value);
}

/** Somebody else's text, for the operator: one short line of plain characters. */
export function shownText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{P} ]/gu, ' ').slice(0, 200);
}

export type AnchorCustomer = {
  /** Tells what a deposit was refused for. The reason why that was not done, or undefined. */
  tell(names: readonly string[]): Promise<string | undefined>;
  /**
   * Asks what the anchor still wants to know, for one transfer or at all, and tells it. 'unknown'
   * where it has no answer to that.
   */
  settle(transferId?: string): Promise<'accepted' | 'unknown' | { readonly reason: string }>;
};

/** The same is not told more often than that. */
const TOLD_MS = 60 * 60_000;

/** All of it throws Outage when the anchor cannot be asked. */
export function anchorCustomer(
  known: AboutUs,
  session: Pick<AnchorSession, 'ask'>,
  account: string,
  clock: Pick<Clock, 'monotonicMs'>,
): AnchorCustomer {
  const toldAtMs = new Map<string, number>();
  const where = { server: 'kycServer', path: '/customer' } as const;

  async function put(fields: AboutUs, about: object): Promise<string | undefined> {
    const key = JSON.stringify([about, fields]);
    const nowMs = clock.monotonicMs();
    if (nowMs - (toldAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < TOLD_MS) {
      return 'the anchor asks again for what it was told about us';
    }
    for (const [told, atMs] of toldAtMs) if (nowMs - atMs >= TOLD_MS) toldAtMs.delete(told);
    const body = { account, ...about, ...fields };
    const { status, json } = await session.ask({ ...where, body });
    if (status < 500) toldAtMs.set(key, nowMs);
    if (status === 200 || status === 202) return undefined;
    const error = typeof json?.error === 'string' ? `: ${shownText(json.error)}` : '';
    return `the anchor did not take what it was told about us${error}`;
  }

  return {
    async tell(names) {
      const answer = fieldsToTell(names, known);
      return answer.kind === 'told' ? put(answer.fields, {}) : reasonOf(answer);
    },
    async settle(transferId) {
      // SEP-12, Type Specification: with a transfer the type must be given.
      const about: Readonly<Record<string, string>> =
        transferId === undefined ? {} : { type: 'sep6', transaction_id: transferId };
      const look = async () => {
        const { status, json } = await session.ask({ ...where, query: { account, ...about } });
        return status === 200 ? decideCustomer(json ?? {}, known) : 'unknown';
      };
      const first = await look();
      if (first === 'unknown' || first.kind === 'accepted') return kindOf(first);
      if (first.kind === 'refused') return { reason: first.reason };
      const fault = await put(first.fields, about);
      if (fault !== undefined) return { reason: fault };
      const second = await look();
      if (second === 'unknown' || second.kind === 'accepted') return kindOf(second);
      return { reason: reasonOf(second) ?? 'the anchor asks again for what it was told about us' };
    },
  };
}

function kindOf(answer: 'unknown' | { readonly kind: 'accepted' }): 'unknown' | 'accepted' {
  return answer === 'unknown' ? answer : answer.kind;
}

function reasonOf(answer: CustomerAnswer): string | undefined {
  return answer.kind === 'refused' ? answer.reason : undefined;
}
