// Statements of banks: ISO 20022 camt.053 (end of day, with balances), camt.054 (notifications
// of single bookings) and camt.052 (reports within the day), every version of them. Guarantees:
// amounts are exact; a booking in another currency than its account's is for nobody; what else
// is not understood is refused as a whole, so that nothing of it is half counted. Structure
// after the message definition report of ISO 20022 (BankToCustomerStatement,
// BankToCustomerDebitCreditNotification, BankToCustomerAccountReport) and the implementation
// guidelines of SIX and of STUZZA.

import { canonicalIban } from '#people/iban.ts';
import { canonicalAccount } from './bank-account.ts';
import { type Debit, readDepartures } from './read-departures.ts';
import { type BankEntry, inCurrencyOf, readEntry } from './read-entry.ts';
import {
  allOf,
  findOnly,
  findText,
  getText,
  readDate,
  readMoney,
  readXml,
  XML_BYTES_MAX,
  type XmlNode,
  xmlFault,
} from './read-xml.ts';
import { isZip, readZip } from './read-zip.ts';

type Balances = {
  readonly openingUnits: bigint;
  readonly closingUnits: bigint;
  readonly closingOn: Temporal.PlainDate;
};

export type BankStatement = {
  /** A notification, or a report within the day, has no balances to hold anything against. */
  readonly kind: 'STATEMENT' | 'NOTIFICATION';
  /** What the bank calls it. */
  readonly id: string;
  /** Number of the bank's own counting, to order statements of one day. */
  readonly sequence: bigint | undefined;
  readonly account: string;
  readonly currency: string;
  readonly balances: Balances | undefined;
  /** All of them, debits and what is not booked yet included. */
  readonly entries: readonly BankEntry[];
  readonly departures: readonly Debit[];
};

type Form = Pick<BankStatement, 'kind'> & { readonly message: string; readonly part: string };
const KINDS: Readonly<Record<string, Form>> = {
  '052': { message: 'BkToCstmrAcctRpt', part: 'Rpt', kind: 'NOTIFICATION' },
  '053': { message: 'BkToCstmrStmt', part: 'Stmt', kind: 'STATEMENT' },
  '054': { message: 'BkToCstmrDbtCdtNtfctn', part: 'Ntfctn', kind: 'NOTIFICATION' },
};

const ENTRIES_MOST = 50_000;

/** @throws Refusal (invalid, `xml`) that says what is wrong with the file. */
export function readStatements(bytes: Uint8Array): BankStatement[] {
  const files = isZip(bytes) ? readZip(bytes, XML_BYTES_MAX) : [bytes];
  const statements = files.flatMap(readFile);
  const count = statements.reduce((sum, { entries }) => sum + entries.length, 0);
  if (count > ENTRIES_MOST) throw xmlFault(`more than ${ENTRIES_MOST} entries`);
  return statements;
}

function readFile(bytes: Uint8Array): BankStatement[] {
  const { namespace, root } = readXml(bytes);
  const pattern = /^urn:iso:std:iso:20022:tech:xsd:camt\.(05[2-4])\.001\.\d{2}$/;
  const [, number = ''] = pattern.exec(namespace) ?? [];
  const form = KINDS[number];
  if (root.name !== 'Document' || form === undefined) {
    throw xmlFault('none of camt.052, camt.053 and camt.054 of ISO 20022');
  }
  const message = findOnly(root, form.message);
  if (message === undefined) throw xmlFault(`<${form.message}> is missing`);
  const parts = allOf(message, form.part);
  if (parts.length === 0) throw xmlFault(`<${form.part}> is missing`);
  return parts.map((part) => readPart(part, form.kind));
}

function readPart(part: XmlNode, kind: BankStatement['kind']): BankStatement {
  const nodes = allOf(part, 'Ntry');
  const read = nodes.map(readEntry);
  const shown = allOf(part, 'Bal').map(readBalance);
  const stated = findText(part, 'Acct', 'Ccy');
  const of = (all: readonly { readonly currency: string }[]) => all.map(({ currency }) => currency);
  const booked = shown.filter(({ type }) => BOOKED.includes(type));
  const own = [...(stated === undefined ? [] : [stated]), ...of(booked)];
  // The account's; a booking may be in another one, and is then for nobody.
  const said = [own, of(shown), of(read.slice(0, 1))].find(({ length }) => length > 0);
  const currencies = new Set(said);
  const [currency] = currencies;
  if (currency === undefined) throw xmlFault(`a <${part.name}> without any currency`);
  if (currencies.size > 1) throw xmlFault(`a <${part.name}> in ${[...currencies].join(' and ')}`);
  const sequence = findText(part, 'ElctrncSeqNb');
  const account = readAccount(part);
  const entries = read.map((entry) => inCurrencyOf(entry, currency));
  return {
    kind,
    id: getText(part, 'Id').slice(0, 140),
    sequence: sequence !== undefined && /^\d{1,18}$/.test(sequence) ? BigInt(sequence) : undefined,
    account,
    currency,
    balances: kind === 'STATEMENT' ? balancesOf(shown) : undefined,
    entries,
    departures: readDepartures(account, nodes, entries),
  };
}

function readAccount(part: XmlNode): string {
  const iban = findText(part, 'Acct', 'Id', 'IBAN');
  const other = findText(part, 'Acct', 'Id', 'Othr', 'Id');
  const given = iban ?? other;
  if (given === undefined) throw xmlFault('the account is missing');
  const account = iban === undefined ? canonicalAccount(given) : canonicalIban(given);
  if (account === undefined) throw xmlFault(`no account: ${given.slice(0, 60)}`);
  return account;
}

type ShownBalance = {
  readonly type: string;
  readonly currency: string;
  readonly units: bigint;
  readonly on: Temporal.PlainDate | undefined;
};

function readBalance(node: XmlNode): ShownBalance {
  const { currency, units } = readMoney(findOnly(node, 'Amt'));
  const side = getText(node, 'CdtDbtInd');
  if (side !== 'CRDT' && side !== 'DBIT') throw xmlFault('a balance is neither CRDT nor DBIT');
  return {
    type: findText(node, 'Tp', 'CdOrPrtry', 'Cd') ?? '',
    currency,
    units: side === 'CRDT' ? units : -units,
    on: readDate(findOnly(node, 'Dt')),
  };
}

/** What bookings are held against; what is available may be told in other currencies too. */
const BOOKED = ['OPBD', 'PRCD', 'CLBD'];

/** OPBD and CLBD; many banks show the closing balance before (PRCD) in place of the first. */
function balancesOf(shown: readonly ShownBalance[]): Balances | undefined {
  const only = (type: string) => {
    const found = shown.filter((balance) => balance.type === type);
    if (found.length > 1) throw xmlFault(`balance ${type} stands twice`);
    return found[0];
  };
  const opening = only('OPBD') ?? only('PRCD');
  const closing = only('CLBD');
  if (opening === undefined || closing?.on === undefined) return undefined;
  return { openingUnits: opening.units, closingUnits: closing.units, closingOn: closing.on };
}
