import { isEmail } from '#base/text.ts';
import { canonicalTaxId } from './tax-id.ts';

const emailMax = 77;

/**
 * A key of the Pix directory (Banco Central do Brasil, DICT): CPF, CNPJ, e-mail address, telephone
 * with +55, or random key. Undefined when it is none of them.
 */
export function canonicalPixKey(text: string): string | undefined {
  const taxId = canonicalTaxId(text);
  if (taxId !== undefined) return taxId;
  const lower = text.toLowerCase();
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lower)) return lower;
  // Two digits of the area, none of them 0, then eight, or nine of a mobile.
  if (/^\+55[1-9]{2}(?:9\d{8}|[2-8]\d{7})$/.test(text)) return text;
  return lower.length <= emailMax && isEmail(lower) ? lower : undefined;
}
