import type { PageLanguage } from '#pages/languages/texts.ts';
import type { Customer } from '#people/customer.ts';

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

/** As it stands when it is no code that we know a name for. */
function countryName(countryCode: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(countryCode)) return countryCode;
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return names.of(countryCode) ?? countryCode;
}
