// What every view of a checkout is given, and the addresses and form values that lead from one to
// another.

import type { Explorers } from '#catalog/explorer.ts';
import type { CheckoutRecord, Commitment, Offer } from '#checkout/checkout.ts';
import type { AnswerOutcome } from '#checkout/commit-checkout.ts';
import type { OwnPageWords } from '#merchant/customer-mails.ts';
import type { OwnDomain } from '#merchant/domain.ts';
import type { Logo, ShownPage } from '#merchant/seller.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import type { Decimal } from '#money/decimal.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import type { WalletConnect } from '#pages/page-app.ts';
import type { Customer } from '#people/customer.ts';
import type { FoundPayment } from './decide-found-payment.ts';
import { type PageQuery, type PageState, QR_WISHES } from './decide-page.ts';
import type { OrderSummary } from './order-summary.ts';

export type CheckoutPage = {
  readonly record: CheckoutRecord;
  readonly state: PageState;
  readonly summary: OrderSummary;
  /** Of the account; what the request said about the same is in the record and the summary. */
  readonly settings: ShownPage;
  readonly logo?: Logo | undefined;
  /** Undefined when there is none, and when it is not to be shown. */
  readonly buyer?: Customer | undefined;
  /** Where transactions can be looked at. */
  readonly explorers: Explorers;
  readonly language: PageLanguage;
  /** As it stands in the address: a code, or `auto`. */
  readonly languageName: string;
  readonly token: string;
  /** Signs where to pay; undefined on samples, which nobody pays. */
  readonly signPlaceOf?: ((commitment: Commitment) => string) | undefined;
  /** The merchant's own domain that it is shown under, proved by its name servers. */
  readonly domain?: OwnDomain | undefined;
  /** The whole address of the page, for another device. */
  readonly pageUrl: string;
  /** Name of a sample in the gallery of the demo shop: nothing can be done on it. */
  readonly sample?: string | undefined;
  readonly query: PageQuery;
  readonly now: Temporal.Instant;
  readonly hasSandbox: boolean;
  /** With how many confirmations as much as this is final here; for people, not for a decision. */
  readonly confirmationsOf: (network: string, amount: AssetAmount) => number;
  /** What tells the chain from others of its kind; undefined where nobody knows. */
  readonly chainIdentityOf?: (network: string) => string | undefined;
  /** Whether our node puts together what a wallet signs. */
  readonly draftsPayments?: (network: string) => boolean;
  /** Undefined: the operator has none. */
  readonly walletConnect?: WalletConnect | undefined;
  /** What the network takes from whoever pays, in the currency of the bill, where it is known. */
  readonly payerFeeOf: (offer: Offer) => Decimal | undefined;
  /** What the shop recommends, the best first, as `wayName` writes it. */
  readonly recommended: readonly string[];
  /** What the shop says in its own words, in all languages. */
  readonly words: readonly OwnPageWords[];
  /** Why the last act of the customer did not work. */
  readonly fault: string | undefined;
  /** What the customer answered and could not be taken. */
  readonly askedAgain?:
    | { readonly form: URLSearchParams; readonly outcome: AnswerOutcome }
    | undefined;
  /** What was asked for last: a transaction that the customer pasted. */
  readonly found?: FoundPayment | undefined;
  /** What was pasted, to be shown again. */
  readonly asked?: string | undefined;
  /** Why it was not looked for. */
  readonly findFault?: string | undefined;
  /** Whether a payer can have himself told by e-mail, or has asked; undefined: he cannot. */
  readonly mailWish?: 'open' | 'asked' | undefined;
  /** What he typed and why it was not kept. */
  readonly mailFault?: { readonly typed: string; readonly reason: string } | undefined;
};

export function readPageQuery(query: URLSearchParams): PageQuery {
  const text = (name: string) => query.get(name)?.slice(0, 200) || undefined;
  return {
    network: text('network'),
    asset: text('asset'),
    group: text('group'),
    qr: QR_WISHES.find((wish) => wish === query.get('qr')) ?? 'link',
    choose: query.has('choose'),
    ask: query.has('ask'),
    leave: query.has('leave'),
  };
}

type Act =
  | ''
  | '/answer'
  | '/choose'
  | '/find'
  | '/wallet'
  | '/mail'
  | '/cancel'
  | '/return'
  | '/state'
  | '/sandbox';

export function checkoutPath(
  page: Pick<CheckoutPage, 'languageName' | 'token' | 'sample'>,
  act: Act,
  query: Partial<PageQuery> = {},
): string {
  if (page.sample !== undefined) return samplePath(page.sample, page.languageName, act, query);
  const path = `/${page.languageName}/checkout/${encodeURIComponent(page.token)}${act}`;
  const search = queryText(query);
  return search === '' ? path : `${path}?${search}`;
}

function samplePath(
  name: string,
  languageName: string,
  act: Act,
  query: Partial<PageQuery>,
): string {
  const search = new URLSearchParams(queryText(query));
  search.set('language', languageName);
  return `/demo/states/${name}${act}?${search}`;
}

/** The same page in the same view. */
export function samePath(page: CheckoutPage, act: Act = ''): string {
  return checkoutPath(page, act, page.query);
}

function queryText(query: Partial<PageQuery>): string {
  const search = new URLSearchParams();
  for (const name of ['network', 'asset', 'group'] as const) {
    const value = query[name];
    if (value !== undefined) search.set(name, value);
  }
  if (query.qr !== undefined && query.qr !== 'link') search.set('qr', query.qr);
  if (query.choose) search.set('choose', '1');
  if (query.ask) search.set('ask', '1');
  if (query.leave) search.set('leave', '1');
  return search.toString();
}

export function methodValue({ network, assetId }: Pick<Offer, 'network' | 'assetId'>): string {
  return `${network} ${assetId}`;
}

export function readMethod(value: string): { network: string; asset: string } {
  const at = value.indexOf(' ');
  return { network: value.slice(0, at), asset: value.slice(at + 1) };
}
