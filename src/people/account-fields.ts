// The account of a beneficiary, field by field for its network (api-contract.md 8). Guarantees:
// what comes back names an account that can exist, every checksum proven, in one canonical
// spelling; every fault is reported with its path. Not known here: whether anybody has it.
import { z } from 'zod';
import { isDomain } from '#base/text.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { ExactNumber, isJsonObject } from '#money/exact-json.ts';
import { checkShape, faultAt, fields, omittable, textUpTo } from '#money/exact-schema.ts';
import { canonicalBic, canonicalIban, isCountry, isSepaIban } from './iban.ts';
import { canonicalPixKey } from './pix-key.ts';
import { canonicalTaxId } from './tax-id.ts';

/** Fields of api-contract.md 8 in canonical spelling, numbers as text; none without a value. */
export type ReceivingAccount = { readonly [field: string]: string };

type LightningInvoice = {
  /** Canonical spelling. */
  readonly invoice: string;
  readonly expiresAt: Temporal.Instant;
  /** What it asks for; undefined when that is not said, or no whole unit. */
  readonly units: bigint | undefined;
};

/**
 * The port behind which addresses and invoices of blockchains are checked: their libraries belong
 * to networks (`accountValidator` in families.ts there).
 */
export type AccountValidator = {
  /**
   * Canonical spelling of an address or account of the chain, its checksum proven; undefined when
   * it is none, or one without a checksum.
   */
  address(chain: ChainId, text: string): string | undefined;
  /** BOLT 11; undefined when it is no invoice of the chain. */
  invoice(chain: ChainId, text: string): LightningInvoice | undefined;
  /** LUD-01, in its one spelling; undefined when it is none, or leads elsewhere than to https. */
  lnurl(text: string): string | undefined;
};

export const MEMO_TYPES = ['text', 'id', 'hash', 'return'] as const;
export type MemoType = (typeof MEMO_TYPES)[number];

const MEMO_TEXT_BYTES_MAX = 28;
const MEMO_ID_LIMIT = 2n ** 64n;

type AccountContext = {
  readonly chain: ChainId;
  readonly accounts: AccountValidator;
  /** When the account is used at the earliest. */
  readonly usableAt: Temporal.Instant;
};

/** Every field of every network, for the documentation. */
export const ACCOUNT_FIELDS: { readonly [field: string]: string } = {
  address: 'Address on the network; of SWIFT where the holder lives',
  invoice: 'LIGHTNING: an invoice (BOLT 11), which pays one transfer of exactly its amount',
  lightningAddress: 'LIGHTNING: name@domain (LUD-16), or invoice, or lnurl',
  lnurl: 'LIGHTNING: lnurl1... (LUD-01), or invoice, or lightningAddress',
  account: 'STELLAR, XRP_LEDGER: the account',
  memo: 'STELLAR: what has to be given beside the account, with memoType',
  memoType: `STELLAR: kind of the memo, ${MEMO_TYPES.join(', ')}`,
  destinationTag: 'XRP_LEDGER: what has to be given beside the account, as number or text',
  iban: 'SEPA: the IBAN; SWIFT: it, or accountNumber',
  accountNumber: 'SWIFT: number of the account, or iban',
  bic: 'SWIFT: BIC of the bank; SEPA: where it is known',
  holder: 'SEPA, SWIFT: whose account it is',
  pixKey: 'PIX: CPF, CNPJ, e-mail address, telephone or random key',
  taxId: 'PIX: CPF or CNPJ',
};

const PATH = ['beneficiary', 'account'];
const TAG_MAX = 2n ** 32n - 1n;
const ADDRESS_MAX = 200;
const INVOICE_MAX = 4000;

type Shape = { [field: string]: z.ZodType<string | undefined> };

export function memoTypeOf({ memoType }: ReceivingAccount): MemoType | undefined {
  return MEMO_TYPES.find((one) => one === memoType);
}

/** Undefined after adding one sentence a fault to `faults`. */
export function readReceivingAccount(
  context: AccountContext,
  value: unknown,
  faults: string[],
): ReceivingAccount | undefined {
  const before = faults.length;
  const account = checkShape(fields(shapeOf(context)), value, faults, PATH);
  if (isJsonObject(value))
    faults.push(...findRelationFaults(networkOf(context.chain), value, account));
  if (account === undefined || faults.length > before) return undefined;
  const given = Object.entries(account).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given);
}

type AccountField = { readonly name: string; readonly isRequired: boolean };

/** Which fields an account of the network has, in their order; of some exactly one is wanted. */
export function listAccountFields(context: AccountContext): readonly AccountField[] {
  return Object.entries(shapeOf(context)).map(([name, schema]) => ({
    name,
    isRequired: !schema.safeParse(undefined).success,
  }));
}

/** Fields of which exactly one says where the money goes. */
export function listAlternatives(network: string): readonly string[] {
  return ALTERNATIVES[network] ?? [];
}

function shapeOf(context: AccountContext): Shape {
  const { id, knownBy, accountWords } = getNetwork(networkOf(context.chain));
  const address = canonical(ADDRESS_MAX, `must be ${accountWords}`, (given) =>
    context.accounts.address(context.chain, given),
  );
  switch (knownBy) {
    case 'address':
      return { address };
    case 'memo':
      return {
        account: address,
        memo: omittable(textUpTo(64)),
        memoType: omittable(z.enum(MEMO_TYPES)),
      };
    case 'tag':
      return { account: address, destinationTag: omittable(destinationTag) };
    case 'invoice':
      return {
        invoice: omittable(invoice(context)),
        lightningAddress: omittable(lightningAddress),
        lnurl: omittable(lnurl(context)),
      };
    case 'reference':
      return bankShape(id);
  }
}

function bankShape(network: string): Shape {
  if (network === 'PIX') {
    return {
      pixKey: canonical(
        100,
        'must be a CPF, CNPJ, e-mail address, telephone (+55...) or random key',
        canonicalPixKey,
      ),
      taxId: canonical(30, 'must be a CPF or CNPJ with right check digits', canonicalTaxId),
    };
  }
  if (network === 'SEPA') {
    const sepaIban = iban.refine(
      (given) => given === undefined || isSepaIban(given),
      'must be an IBAN of a SEPA country',
    );
    return { iban: sepaIban, bic: omittable(bic), holder: filled(140) };
  }
  return {
    iban: omittable(iban),
    accountNumber: omittable(accountNumber),
    bic,
    holder: filled(140),
    address: filled(300),
  };
}

const iban = canonical(
  60,
  'must be an IBAN as its country has them, with right check digits',
  canonicalIban,
);
const bic = canonical(11, 'must be a BIC (8 or 11 letters and digits)', canonicalBic);

const accountNumber = canonical(50, 'must be 1 to 34 letters and digits', (given) => {
  const plain = given.replaceAll(/[ -]/g, '').toUpperCase();
  return /^[A-Z0-9]{1,34}$/.test(plain) ? plain : undefined;
});

/** LUD-16: the name in lower case, digits, - _ . and +. */
const lightningAddress = canonical(320, 'must be a Lightning address (name@domain)', (given) => {
  const [, domain = ''] = /^[a-z0-9._+-]{1,64}@([a-z0-9.-]+)$/.exec(given.toLowerCase()) ?? [];
  return isDomain(domain) ? given.toLowerCase() : undefined;
});

/** A JSON number or its text. */
export const destinationTag = z
  .any()
  .transform((given: unknown, context): string => {
    const digits = given instanceof ExactNumber ? given.text : given;
    const isTag = typeof digits === 'string' && /^(?:0|[1-9]\d{0,9})$/.test(digits);
    if (isTag && BigInt(digits) <= TAG_MAX) return digits;
    context.addIssue({ code: 'custom', message: `must be a whole number from 0 to ${TAG_MAX}` });
    return z.NEVER;
  })
  .meta({ type: 'integer', minimum: 0, maximum: Number(TAG_MAX) });

function invoice({ chain, accounts, usableAt }: AccountContext) {
  return textUpTo(INVOICE_MAX).transform((given, context): string => {
    const read = accounts.invoice(chain, given);
    if (read !== undefined && Temporal.Instant.compare(read.expiresAt, usableAt) > 0) {
      return read.invoice;
    }
    const message =
      read === undefined
        ? 'must be an invoice of Lightning (BOLT 11) with a right checksum and signature'
        : `expires before the beneficiary can be used (${usableAt})`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

function lnurl({ accounts }: AccountContext) {
  const message = 'must be an LNURL (lnurl1...) with a right checksum, of an https address';
  return canonical(INVOICE_MAX, message, (given) => accounts.lnurl(given));
}

/** Text in one spelling only, or the fault. */
function canonical(max: number, message: string, read: (given: string) => string | undefined) {
  return textUpTo(max).transform((given, context): string => {
    const spelled = read(given);
    if (spelled !== undefined) return spelled;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

function filled(max: number) {
  return textUpTo(max)
    .transform((given) => given.trim())
    .refine((given) => given !== '', 'must not be empty');
}

/** Of these networks exactly one of some fields says where the money goes. */
const ALTERNATIVES: { readonly [network: string]: readonly string[] } = {
  LIGHTNING: ['invoice', 'lightningAddress', 'lnurl'],
  SWIFT: ['iban', 'accountNumber'],
};

function findRelationFaults(
  network: string,
  given: { readonly [field: string]: unknown },
  account: { readonly [field: string]: string | undefined } | undefined,
): string[] {
  const isGiven = (field: string) => given[field] !== undefined && given[field] !== null;
  const fault = (field: string, message: string) => [faultAt([...PATH, field], message)];
  const [first, ...others] = ALTERNATIVES[network] ?? [];
  if (first !== undefined) {
    const [one, other] = [first, ...others].filter(isGiven);
    if (one === undefined) return fault(first, `is required, or ${others.join(', or ')}`);
    if (other !== undefined) return fault(other, `cannot stand beside ${one}`);
  }
  if (network === 'STELLAR') {
    if (isGiven('memo') && !isGiven('memoType')) return fault('memoType', 'is required with memo');
    if (isGiven('memoType') && !isGiven('memo')) return fault('memo', 'is required with memoType');
    const { memo, memoType: named } = account ?? {};
    const memoType = MEMO_TYPES.find((one) => one === named);
    if (memo === undefined || memoType === undefined) return [];
    const message = memoFault(memo, memoType);
    return message === undefined ? [] : fault('memo', message);
  }
  // A key that is a tax number is the tax number of whoever has it.
  const { pixKey, taxId } = account ?? {};
  const isOther = pixKey !== undefined && canonicalTaxId(pixKey) && pixKey !== taxId;
  return isOther ? fault('taxId', 'differs from pixKey') : [];
}

/** What is wrong with a memo of this type (Stellar, Transactions, Memo), in words. */
export function memoFault(memo: string, memoType: MemoType): string | undefined {
  if (memoType === 'text') {
    const { length } = new TextEncoder().encode(memo);
    const isFit = length > 0 && length <= MEMO_TEXT_BYTES_MAX;
    return isFit ? undefined : `must have 1 to ${MEMO_TEXT_BYTES_MAX} bytes`;
  }
  if (memoType === 'id') {
    const isFit = /^(?:0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) < MEMO_ID_LIMIT;
    return isFit ? undefined : 'must be a whole number below 2^64';
  }
  return /^[0-9a-f]{64}$/i.test(memo) ? undefined : 'must be 64 hexadecimal digits';
}

type ReceiverAddress = {
  readonly town: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
  readonly lines: readonly string[];
};

const TOWN_LENGTH = 35;
const LINE_LENGTH = 70;
const LINES_MOST = 2;

/**
 * Where the holder of an account lives, from the one line that it has: `street, town, country
 * code`. Since November 2026 banks want town and country in elements of their own in a file, with
 * at most two lines for the rest (CBPR+, hybrid postal address; decision 42). Undefined where town
 * and country cannot be told, or do not fit.
 */
export function readReceiverAddress(text: string): ReceiverAddress | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const country = parts.pop()?.toUpperCase() ?? '';
  const town = parts.pop() ?? '';
  const street = parts.join(', ');
  const isFit =
    /^[A-Z]{2}$/.test(country) && isCountry(country) && town !== '' && town.length <= TOWN_LENGTH;
  if (!isFit || street.length > LINE_LENGTH * LINES_MOST) return undefined;
  const lines = [street.slice(0, LINE_LENGTH), street.slice(LINE_LENGTH)]
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { town, country, lines };
}
