// What every view of a checkout is given, and the addresses that lead from one to another.
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { Logo } from '#merchant/logo.ts';
import type { PageSettings } from '#merchant/page-settings.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import type { PageQuery, PageState } from './decide-page.ts';
import type { OrderSummary } from './order-summary.ts';

export type CheckoutPage = {
  readonly record: CheckoutRecord;
  readonly state: PageState;
  readonly summary: OrderSummary;
  /** Of the account; what the request said about the same is in the record and the summary. */
  readonly settings: PageSettings;
  readonly logo?: Logo | undefined;
  readonly language: PageLanguage;
  /** As it stands in the address: a code, or `auto`. */
  readonly languageName: string;
  readonly token: string;
  readonly query: PageQuery;
  readonly now: Temporal.Instant;
  readonly hasSandbox: boolean;
  /** Why the last act of the customer did not work. */
  readonly fault: string | undefined;
};

export function readPageQuery(query: URLSearchParams): PageQuery {
  const text = (name: string) => query.get(name)?.slice(0, 200) || undefined;
  return {
    network: text('network'),
    asset: text('asset'),
    group: text('group'),
    qr: query.get('qr') === 'address' ? 'address' : 'link',
    choose: query.has('choose'),
  };
}

type Act = '' | '/choose' | '/cancel' | '/return' | '/state' | '/sandbox';

export function checkoutPath(
  page: Pick<CheckoutPage, 'languageName' | 'token'>,
  act: Act,
  query: Partial<PageQuery> = {},
): string {
  const path = `/${page.languageName}/checkout/${encodeURIComponent(page.token)}${act}`;
  const search = queryText(query);
  return search === '' ? path : `${path}?${search}`;
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
  if (query.qr === 'address') search.set('qr', 'address');
  if (query.choose) search.set('choose', '1');
  return search.toString();
}
