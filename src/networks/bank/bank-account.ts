export const BANK_NETWORKS = ['SEPA', 'SWIFT', 'PIX'] as const;
export type BankNetwork = (typeof BANK_NETWORKS)[number];

/** The account that customers of one network pay to. */
export type BankAccount = {
  readonly network: BankNetwork;
  /** As statements name it, in capitals and without spaces: an IBAN, or a number of the bank. */
  readonly account: string;
  readonly holder: string;
  readonly bic: string | undefined;
  /** Codes of ISO 4217 that are taken. */
  readonly currencies: readonly string[];
  /** PIX: the key that is paid, and where the holder lives. */
  readonly pix: { readonly key: string; readonly city: string } | undefined;
};

/** One spelling of a number as settings and statements write it. */
export function canonicalAccount(text: string): string | undefined {
  const plain = text.replaceAll(/[\s./-]/g, '').toUpperCase();
  return /^[A-Z0-9]{1,34}$/.test(plain) ? plain : undefined;
}
