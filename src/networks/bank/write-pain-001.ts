// Orders to a bank to send money, in euro by SEPA or in one currency by SWIFT: an ISO 20022
// customer credit transfer initiation, pain.001.001.09 (the version of 2019, which the SEPA
// rulebooks of 2023 and 2025 are written for; decision 42). Guarantees: each transfer stands in
// it once, with the amount and the account that were given and a reference that names it in the
// statement later; the sums are exact; only letters that every bank takes. Not guaranteed: that
// the bank carries it out. Elements and their order: message definition report
// CustomerCreditTransferInitiationV09; what SEPA asks of them: EPC132-08, SEPA Credit Transfer
// customer-to-PSP Implementation Guidelines.

import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import { type ReceivingAccount, readReceiverAddress } from '#people/account-fields.ts';
import { canonicalIban, isSepaIban } from '#people/iban.ts';
import type { BankAccount } from './bank-account.ts';
import { transferReference } from './bank-references.ts';
import { amountToFixedText } from './payment-codes.ts';

export type BankOrder = {
  readonly transferId: string;
  /** What the receiver gets, in hundredths (every currency that banks carry here has them). */
  readonly units: bigint;
  /** Code of ISO 4217. */
  readonly currency: string;
  /** With the fields of its network (`people/account-fields.ts`). */
  readonly account: ReceivingAccount;
  /** For the receiver to read; undefined: the reference alone. */
  readonly text: string | undefined;
};

export type BankOrderFile = {
  /** The bank takes a file of one name once: another attempt needs another name. */
  readonly messageId: string;
  readonly createdAt: Temporal.Instant;
  readonly executeOn: Temporal.PlainDate;
  /** Ours, of SEPA or SWIFT. */
  readonly from: BankAccount;
  readonly orders: readonly BankOrder[];
};

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
const NAME_LENGTH = 70;
const TEXT_LENGTH = 140;
/** The rulebook: 999999999.99 at most in one transfer. */
const UNITS_MOST = 99_999_999_999n;

/** @throws Refusal (invalid, `bank_order`, `bank_text`): one sentence a fault, nothing written. */
export function writePain001(file: BankOrderFile): string {
  const { messageId, createdAt, executeOn, from, orders } = file;
  assert(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,33}[A-Za-z0-9])?$/.test(messageId), 'no name of a message');
  assert(from.network !== 'PIX', 'banks share no file of orders by Pix');
  const isSepa = from.network === 'SEPA';
  assert(orders.length > 0, 'a file of orders has one at least');
  assert(new Set(orders.map(({ transferId }) => transferId)).size === orders.length, 'one twice');
  const faults = orders.flatMap((order) => faultsOf(from, order));
  if (faults.length > 0) throw new Refusal('invalid', 'bank_order', faults);
  const count = element('NbOfTxs', String(orders.length));
  const sum = element(
    'CtrlSum',
    amountToFixedText(orders.reduce((total, { units }) => total + units, 0n)),
  );
  const holder = element('Nm', nameOf(from.holder, `${from.network}_HOLDER`));
  const header = element(
    'GrpHdr',
    element('MsgId', messageId),
    element('CreDtTm', createdAt.round('second').toString()),
    count,
    sum,
    element('InitgPty', holder),
  );
  const payment = element(
    'PmtInf',
    element('PmtInfId', messageId),
    element('PmtMtd', 'TRF'),
    // A booking of its own for each, which a statement names by its end-to-end id.
    element('BtchBookg', 'false'),
    count,
    sum,
    element('PmtTpInf', element('SvcLvl', element('Cd', isSepa ? 'SEPA' : 'NURG'))),
    element('ReqdExctnDt', element('Dt', executeOn.toString())),
    element('Dbtr', holder),
    element('DbtrAcct', accountId(from.account), isSepa ? element('Ccy', 'EUR') : ''),
    element('DbtrAgt', agent(from.bic)),
    // By SWIFT we bear all charges: the receiver gets what was ordered.
    element('ChrgBr', isSepa ? 'SLEV' : 'DEBT'),
    ...orders.map((order) => orderXml(from, order)),
  );
  const document = element('CstmrCdtTrfInitn', header, payment);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">${document}</Document>\n`;
}

function orderXml(
  { network }: BankAccount,
  { transferId, units, currency, account, text }: BankOrder,
): string {
  const { iban, accountNumber, bic, holder = '', address = '' } = account;
  const where = network === 'SEPA' ? '' : addressXml(transferId, address);
  const reference = transferReference(transferId);
  return element(
    'CdtTrfTxInf',
    element('PmtId', element('InstrId', reference), element('EndToEndId', reference)),
    element('Amt', `<InstdAmt Ccy="${currency}">${amountToFixedText(units)}</InstdAmt>`),
    bic === undefined ? '' : element('CdtrAgt', agent(bic)),
    element('Cdtr', element('Nm', nameOf(holder, `transfer ${transferId}: holder`)), where),
    element('CdtrAcct', accountId(iban ?? accountNumber ?? '')),
    element('RmtInf', element('Ustrd', textOf(transferId, text))),
  );
}

/** Everything but letters, which are told with the text they are in. */
function faultsOf(
  from: BankAccount,
  { transferId, units, currency, account, text }: BankOrder,
): string[] {
  const fault = (sentence: string) => `transfer ${transferId}: ${sentence}`;
  const { bic, holder = '' } = account;
  const faults = accountFaults(from, account).map(fault);
  if (bic !== undefined && !/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic)) {
    faults.push(fault('the BIC is none'));
  }
  if (nameOf(holder, fault('holder')) === '') faults.push(fault('the account has no holder'));
  if (!from.currencies.includes(currency)) {
    const sent = from.currencies.join(', ');
    faults.push(fault(`${from.network} sends ${sent === 'EUR' ? 'euro' : sent} alone`));
  }
  if (units < 1n || units > UNITS_MOST) {
    faults.push(fault('the amount is not between 0.01 and 999999999.99'));
  }
  if (textOf(transferId, text).length > TEXT_LENGTH) {
    const room = TEXT_LENGTH - transferReference(transferId).length - 1;
    faults.push(fault(`the text has more than ${room} characters`));
  }
  return faults;
}

function accountFaults({ network }: BankAccount, account: BankOrder['account']): string[] {
  const { iban, accountNumber, bic, address = '' } = account;
  const isIban = iban !== undefined && canonicalIban(iban) === iban;
  if (network === 'SEPA') {
    return isIban && isSepaIban(iban) ? [] : ['the account has no IBAN of a SEPA country'];
  }
  const isNumber = iban === undefined && /^[A-Z0-9]{1,34}$/.test(accountNumber ?? '');
  return [
    ...(isIban || isNumber ? [] : ['the account has neither an IBAN nor a number']),
    ...(bic === undefined ? ['the account has no BIC'] : []),
    ...(readReceiverAddress(address) === undefined
      ? [
          'the address does not end with town and country code (street, town, US), which banks ask ' +
            'for in a file: send it by itself, npx quittance send show',
        ]
      : []),
  ];
}

/** Town and country in elements of their own, the rest in lines. */
function addressXml(transferId: string, text: string): string {
  const address = readReceiverAddress(text);
  assert(address !== undefined, 'an address without town and country is a fault');
  const plain = (part: string) => sepaText(part, `transfer ${transferId}: address`);
  return element(
    'PstlAdr',
    element('TwnNm', plain(address.town)),
    element('Ctry', address.country),
    ...address.lines.map((line) => element('AdrLine', plain(line).slice(0, NAME_LENGTH))),
  );
}

/** The end of a longer name is left out: the account is what decides. */
function nameOf(name: string, field: string): string {
  return sepaText(name, field).slice(0, NAME_LENGTH).trim();
}

/** Some banks show the text alone in their statements, so that the reference stands there too. */
function textOf(transferId: string, text: string | undefined): string {
  const words = sepaText(text ?? '', `transfer ${transferId}: text`);
  return [transferReference(transferId), words].filter((part) => part !== '').join(' ');
}

function accountId(account: string): string {
  const isIban = canonicalIban(account) === account;
  const other = element('Othr', element('Id', account));
  return element('Id', isIban ? element('IBAN', account) : other);
}

/** SEPA asks for no BIC (IBAN only); the schema wants something in its place. */
function agent(bic: string | undefined): string {
  const id =
    bic === undefined ? element('Othr', element('Id', 'NOTPROVIDED')) : element('BICFI', bic);
  return element('FinInstnId', id);
}

/** Nothing here has to be escaped: every text is of the letters of SEPA, a date or a number. */
function element(name: string, ...inner: readonly string[]): string {
  return `<${name}>${inner.join('')}</${name}>`;
}

// The letters that every bank of SEPA takes (European Payments Council, EPC217-08, and the rulebook
// of SEPA credit transfers, "character set"): a to z, A to Z, digits, / - ? : ( ) . , ' + and the
// space. What can be told with these letters is written with them; what cannot is refused, since a
// bank that replaced it by itself would send money to a name that nobody gave.
const PLAIN = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

/** Signs that have another form there (EPC217-08, 6.2), and letters that have no marks to lose. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...pairs('& + € E @ (at) _ - ~ - ! . " \' # . $ . % . * . ; , < ( > ) [ ( ] ) { ( } ) \\ /'),
  ...pairs("^ . ` ' | / = - ´ ' ’ ' ‘ ' ‚ ' “ ' ” ' „ ' « ' » ' ‹ ' › ' – - — - ‐ - ‑ - − -"),
  ...pairs('… ... • - · . ¡ ? ¿ ? § . ° . ª a º o © (c) ® (r) £ GBP ¥ JPY № No'),
  ...pairs('ß ss æ ae Æ AE œ oe Œ OE ø o Ø O đ d Đ D ð d Ð D þ th Þ Th ł l Ł L ħ h Ħ H ı i'),
  ...pairs('ŋ ng Ŋ Ng ŧ t Ŧ T ſ s ĸ q'),
]);

/** Of member countries with letters of their own: ISO 843 (Greek), the law of Bulgaria of 2009. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...pairs('α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t'),
  ...pairs('ου ou υ y φ f χ ch ψ ps ω o'),
  ...pairs('а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f'),
  ...pairs('х h ц ts ч ch ш sh щ sht ъ a ь y ю yu я ya ы y э e і i ђ dj ј j љ lj њ nj ћ c џ dz'),
]);

/** `field`: what the refusal calls it. @throws Refusal (invalid, `bank_text`) */
export function sepaText(text: string, field: string): string {
  // Letters that are one with their mark in Cyrillic, before marks are taken off.
  const spelled = text.normalize('NFC').replaceAll(/й/g, 'и').replaceAll(/Й/g, 'И');
  const plain = (
    spelled
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/ου|Ου|ΟΥ|./gsu) ?? []
  )
    .map(plainSign)
    .join('');
  const told = plain.replaceAll(/\s+/g, ' ').trim();
  if (PLAIN.test(told)) return told;
  const strange = [...new Set(told.replaceAll(/[A-Za-z0-9/\-?:().,'+ ]/g, ''))].slice(0, 5);
  throw new Refusal('invalid', 'bank_text', [
    `${field}: banks have no letter for ${strange.join(' ')}; write it in Latin letters`,
  ]);
}

function plainSign(sign: string): string {
  const own = SIGNS.get(sign) ?? LETTERS.get(sign);
  if (own !== undefined) return own;
  const small = LETTERS.get(sign.toLowerCase());
  if (small !== undefined) return small.slice(0, 1).toUpperCase() + small.slice(1);
  return sign;
}

/** `a b c d`: a is written b, c is written d. */
function pairs(list: string): [string, string][] {
  const words = list.split(' ');
  return words.flatMap((word, index): [string, string][] =>
    index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [],
  );
}
