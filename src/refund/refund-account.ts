import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf, type Environment, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import {
  type AccountValidator,
  type MemoType,
  memoFault,
  type ReceivingAccount,
} from '#people/account-fields.ts';
import { canonicalBic, canonicalIban, IBAN_STRUCTURES, isSepaIban } from '#people/iban.ts';

export type RefundAccountApp = { readonly accounts: AccountValidator; readonly clock: Clock };

export type RefundTarget = {
  readonly network: string;
  readonly environment: Environment;
  /** As somebody typed it. */
  readonly address: string;
  /** What arrives there: an invoice of Lightning has to be for it. */
  readonly units: bigint;
  /** What an exchange asks for beside its address: a memo of Stellar, a destination tag of XRP. */
  readonly memo?: string | undefined;
  /** Of Stellar; a text unless it is said. */
  readonly memoType?: MemoType | undefined;
  /** Of XRP, by its own name. */
  readonly destinationTag?: string | undefined;
  /** Whose bank account it is. */
  readonly holder?: string | undefined;
};

/** Beside the address. */
export type RefundDetails = Omit<RefundTarget, 'network' | 'environment' | 'address' | 'units'>;

const LENGTH_MAX = 200;
/** Account, bank, holder and address in one line. */
const SWIFT_LENGTH_MAX = 500;

/** An invoice with many ways to its receiver. */
const INVOICE_LENGTH_MAX = 4000;

/**
 * The account a refund goes to.
 * @throws Refusal invalid `address_invalid` when it is none of the network, by its checksum, or
 * when what stands beside it is none, or is none of this network: the sentence begins
 * with its name then.
 */
export function refundAccount(
  { accounts, clock }: RefundAccountApp,
  target: RefundTarget,
): ReceivingAccount {
  const { network, environment, address, units } = target;
  const { knownBy, hasInvoices, name, type } = getNetwork(network);
  requireKnown(target, network === 'SEPA' ? 'holder' : knownBy, name);
  const chain = chainOf(environment, network);
  if (type === 'BANK') return { ...bankAccount(accounts, chain, address), ...bankHolder(target) };
  if (hasInvoices) {
    const text = address.slice(0, INVOICE_LENGTH_MAX);
    const read = readLightningAccount({ accounts, clock }, { chain, text, units });
    if ('fault' in read) throw notAnAddress(read.fault);
    return read.account;
  }
  const canonical = address.length <= LENGTH_MAX ? accounts.address(chain, address) : undefined;
  if (canonical === undefined) {
    const which = environment === 'test' ? `the test network of ${name}` : name;
    throw notAnAddress(`address: is not an address of ${which} with a right checksum`);
  }
  if (knownBy === 'memo') return { account: canonical, ...stellarMemo(target) };
  if (knownBy === 'tag') return { account: canonical, ...destinationTag(target) };
  return { address: canonical };
}

/** What each network knows beside the address. */
const DETAILS: Readonly<Record<string, readonly (keyof RefundDetails)[]>> = {
  memo: ['memo', 'memoType'],
  // The page of the payer says the kind of whatever it asks for.
  tag: ['memo', 'memoType', 'destinationTag'],
  holder: ['holder'],
};

/** What would be left out silently may be what tells the receiver apart. */
function requireKnown(target: RefundTarget, kind: string, name: string): void {
  const known = DETAILS[kind] ?? [];
  for (const field of ['memo', 'memoType', 'destinationTag', 'holder'] as const) {
    const isGiven = target[field] !== undefined && target[field] !== '';
    if (!isGiven || known.includes(field) || (field === 'memoType' && !target.memo)) continue;
    throw notAnAddress(`${field}: there is none on ${name}`);
  }
}

const HOLDER_MAX = 140;

function bankHolder({ holder = '' }: RefundTarget): ReceivingAccount {
  const name = holder.trim();
  if (name.length > HOLDER_MAX) throw notAnAddress(`holder: has more than ${HOLDER_MAX} letters`);
  return name === '' ? {} : { holder: name };
}

function bankAccount(
  accounts: AccountValidator,
  chain: ChainId,
  address: string,
): ReceivingAccount {
  const network = networkOf(chain);
  if (address.length > (network === 'SWIFT' ? SWIFT_LENGTH_MAX : LENGTH_MAX)) {
    throw notAnAddress('address: is too long');
  }
  const read =
    network === 'SEPA'
      ? readSepaAccount(address)
      : network === 'SWIFT'
        ? readSwiftAccount(address)
        : readPixAccount(address, (text) => accounts.address(chain, text));
  if ('fault' in read) throw notAnAddress(read.fault);
  return read.account;
}

function stellarMemo({ memo, memoType = 'text' }: RefundTarget): ReceivingAccount {
  if (memo === undefined || memo === '') return {};
  const fault = memoFault(memo, memoType);
  if (fault !== undefined) throw notAnAddress(`memo: ${fault}`);
  return { memo, memoType };
}

const tagMax = 2n ** 32n - 1n;

function destinationTag({ memo, destinationTag: named = memo }: RefundTarget): ReceivingAccount {
  if (memo !== undefined && memo !== '' && memo !== named) {
    throw notAnAddress('memo: differs from destinationTag');
  }
  if (named === undefined || named === '') return {};
  const isTag = /^(?:0|[1-9]\d{0,9})$/.test(named) && BigInt(named) <= tagMax;
  if (isTag) return { destinationTag: named };
  throw notAnAddress(`memo: a destination tag is a whole number from 0 to ${tagMax}`);
}

function notAnAddress(sentence: string): Refusal {
  return new Refusal('invalid', 'address_invalid', sentence);
}

// Where a refund by bank goes, as a payer or a shop wrote it in one line. Nobody is asked whose
// account it is where the network does not need it: who sends it compares names at the bank.
type Read =
  | { readonly account: ReceivingAccount }
  /** Begins with `address`. */
  | { readonly fault: string };

export function readSepaAccount(text: string): Read {
  const iban = canonicalIban(text);
  if (iban !== undefined && isSepaIban(iban)) return { account: { iban } };
  return { fault: 'address: is not an IBAN of a SEPA country with right check digits' };
}

/** `pixKey`: reads a key, or a code "copia e cola" that has one. */
export function readPixAccount(text: string, pixKey: (text: string) => string | undefined): Read {
  const key = pixKey(text.trim());
  if (key !== undefined) return { account: { pixKey: key } };
  return {
    fault:
      'address: is not a Pix key (CPF, CNPJ, e-mail address, telephone with +55, random key), ' +
      'nor a code "copia e cola" that holds one',
  };
}

const SWIFT_FORM = 'IBAN or account number; BIC; name of the holder; street, town, country code';

/** Four parts: a transfer by SWIFT names its receiver and where the receiver lives. */
export function readSwiftAccount(text: string): Read {
  const [given = '', bank = '', holder = '', address = '', ...more] = text
    .split(';')
    .map((part) => part.replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ').trim());
  if (holder === '' || address === '' || more.length > 0) {
    return { fault: `address: by SWIFT write four parts with ; between them: ${SWIFT_FORM}` };
  }
  const bic = canonicalBic(bank);
  if (bic === undefined) return { fault: `address: ${bank} is not a BIC (8 or 11 characters)` };
  const plain = given.replaceAll(/[ -]/g, '').toUpperCase();
  // What looks like an IBAN has to be one.
  if (IBAN_STRUCTURES.has(plain.slice(0, 2)) && /^..\d\d/.test(plain)) {
    const iban = canonicalIban(plain);
    if (iban === undefined) return { fault: 'address: the check digits of the IBAN are not right' };
    return { account: { iban, bic, holder, address } };
  }
  if (!/^[A-Z0-9]{1,34}$/.test(plain)) {
    return { fault: 'address: the account must be an IBAN, or 1 to 34 letters and digits' };
  }
  return { account: { accountNumber: plain, bic, holder, address } };
}

type LightningTarget = {
  readonly chain: ChainId;
  /** As somebody typed it. */
  readonly text: string;
  /** What it has to be for, where it is an invoice. */
  readonly units: bigint;
};

type ReadLightning = { readonly account: ReceivingAccount } | { readonly fault: string };

const LIGHTNING_ADDRESS = /^[a-z0-9._+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/i;
/** It is paid at once, or by a person who needs some time. */
const LEFT_LEAST = { minutes: 10 };

/**
 * Where money goes over Lightning: a Lightning address (LUD-16), an LNURL (LUD-01), or an invoice
 * (BOLT 11) for exactly this amount that can still be paid. A wallet may write `lightning:` before.
 */
function readLightningAccount(
  { accounts, clock }: { readonly accounts: AccountValidator; readonly clock: Clock },
  { chain, text, units }: LightningTarget,
): ReadLightning {
  const plain = text.trim().replace(/^lightning:/i, '');
  if (LIGHTNING_ADDRESS.test(plain)) return { account: { lightningAddress: plain } };
  const lnurl = accounts.lnurl(plain);
  if (lnurl !== undefined) return { account: { lnurl } };
  const invoice = accounts.invoice(chain, plain);
  if (invoice === undefined) {
    return {
      fault:
        'address: is neither a lightning address (name@example.com) nor an LNURL nor an invoice ' +
        '(BOLT 11) of this network with a right checksum',
    };
  }
  if (invoice.units !== units) {
    const asked = invoice.units === undefined ? 'no whole amount' : `${invoice.units} sat`;
    return { fault: `address: the invoice is for ${asked}: make one for exactly ${units} sat` };
  }
  const least = clock.now().add(LEFT_LEAST);
  if (Temporal.Instant.compare(invoice.expiresAt, least) < 0) {
    return { fault: 'address: the invoice ends too soon: make one that lasts an hour or longer' };
  }
  return { account: { invoice: invoice.invoice } };
}
