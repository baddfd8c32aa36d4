// The customer a checkout is made out to, where the merchant wants the address shown.
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { Reader } from '#db/db.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { type Customer, findCustomer } from '#people/customer.ts';

/** Undefined when none is linked, when it was deleted, and when it is not to be shown. */
export async function findBuyer(
  app: { readonly db: Reader },
  record: CheckoutRecord,
  { isBuyerShown }: { readonly isBuyerShown: boolean },
): Promise<Customer | undefined> {
  const { customerId, merchantId, environment } = record;
  if (!isBuyerShown || customerId === undefined) return undefined;
  return findCustomer(app, { merchantId, environment }, customerId);
}

/** The billing address: no mail address, no telephone number, no note. */
export function buyerLines(buyer: Customer, { code, texts }: PageLanguage): string[] {
  const { company, firstname, lastname, adr1, adr2, zip, city, countrycode, taxid } = buyer;
  const words = (...parts: readonly (string | null)[]) => filled(parts).join(' ');
  return filled([
    company,
    words(firstname, lastname),
    adr1,
    adr2,
    words(zip, city),
    countrycode === null ? null : countryName(countrycode, code),
    taxid === null ? null : `${texts.paper.taxId}: ${taxid}`,
  ]);
}

function filled(lines: readonly (string | null)[]): string[] {
  return lines.filter((line): line is string => line !== null && line.trim() !== '');
}

/** The code itself where no country has it. */
function countryName(countryCode: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(countryCode)) return countryCode;
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return names.of(countryCode) ?? countryCode;
}
