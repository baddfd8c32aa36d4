// Transactions of our account over a range of ledgers (`account_tx`), page by page. Guarantees: the
// server looked at the whole range and at nothing else; no transaction comes twice; the order is
// ours (pages are in order, but not what is in them). A page that is too long to be read is asked
// for again with half of what is in it; a transaction that cannot be read is nobody's payment.

import {
  type Fields,
  isFields,
  requireFields,
  requireList,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { AnswerTooLong } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import type { AskedAccount } from './read-account-root.ts';
import { ACCOUNT, type BlobFields, readBlob, UnknownField } from './read-blob.ts';
import { type AccountChange, readChange } from './read-change.ts';
import { sha512Half } from './xrpl-address.ts';
import { requireLedgerIndex, requireValidated } from './xrpl-fields.ts';
import type { XrplServer } from './xrpl-server.ts';

export type ListedRange = AskedAccount & {
  readonly server: XrplServer;
  readonly what: string;
  readonly from: bigint;
  readonly upTo: bigint;
};

const PAGE_SIZE = 200;
const PAGES_MOST = 500;
/** Servers give no fewer to strangers (rippled, Tuning: account_tx). */
const PAGE_SIZE_LEAST = 10;
const MARKER_MOST = 1_000;
/** HashPrefix::transactionID, "TXN" and a zero. */
const PREFIX = Buffer.from('54584E00', 'hex');

/** What happened to the account, oldest first. @throws NodeLie, Outage */
export async function listChanges(range: ListedRange): Promise<AccountChange[]> {
  const records = await listAll(range, false);
  const hashes = new Set<unknown>();
  const changes = records.flatMap((record) => {
    requireInRange(record, range);
    requireThat(!hashes.has(record.hash), 'a transaction is listed twice');
    hashes.add(record.hash);
    const change = readChange(record, range.rootIndex);
    return change === undefined ? [] : [change];
  });
  return changes.sort((one, other) =>
    one.ledger === other.ledger ? one.order - other.order : Number(one.ledger - other.ledger),
  );
}

export type SignedTransaction = { readonly ledger: bigint } & (
  | { readonly transaction: BlobFields; readonly meta: BlobFields | UnknownField }
  | { readonly transaction: UnknownField }
);

/** The transactions as they were signed, by the hash of what was signed. @throws NodeLie, Outage */
export async function listSigned(range: ListedRange): Promise<Map<string, SignedTransaction>> {
  const signed = new Map<string, SignedTransaction>();
  for (const record of await listAll(range, true)) {
    requireInRange(record, range);
    requireValidated(record, 'a transaction');
    const blob = bytesOf(record, 'tx_blob');
    const hash = sha512Half(Buffer.concat([PREFIX, blob]));
    const ledger = requireLedgerIndex(record);
    signed.set(hash, { ledger, ...readSigned(blob, bytesOf(record, 'meta_blob')) });
  }
  return signed;
}

function readSigned(blob: Buffer, metaBlob: Buffer) {
  const transaction = readKnown(blob);
  if (transaction instanceof UnknownField) return { transaction };
  requireThat(transaction.has(ACCOUNT), 'a transaction is from nobody');
  return { transaction, meta: readKnown(metaBlob) };
}

function readKnown(blob: Buffer): BlobFields | UnknownField {
  try {
    return readBlob(blob);
  } catch (error) {
    if (error instanceof UnknownField) return error;
    throw error;
  }
}

async function listAll(range: ListedRange, binary: boolean): Promise<Fields[]> {
  const { server, what, account, from, upTo } = range;
  const question = {
    account,
    ledger_index_min: Number(from),
    ledger_index_max: Number(upTo),
    forward: true,
    binary,
  };
  const records: Fields[] = [];
  let marker: Fields = {};
  let limit = PAGE_SIZE;
  for (let asked = 0; asked < PAGES_MOST * PAGE_SIZE; asked += limit) {
    const page = await askPage(server, { ...question, ...marker }, limit);
    // For an account that never existed some servers give an empty listing, others give none.
    if (page === undefined) return records;
    const { answer } = page;
    limit = page.limit;
    requireThat(requireText(answer, 'account') === account, 'a listing is of another account');
    requireThat(
      requireLedgerIndex(answer, 'ledger_index_min') === from &&
        requireLedgerIndex(answer, 'ledger_index_max') === upTo,
      'a listing does not cover what was asked for',
    );
    const listed = requireList(answer.transactions, 'transactions');
    records.push(...listed.map((record) => requireFields(record, 'a transaction')));
    if (answer.marker === undefined) return records;
    marker = { marker: requireMarker(answer.marker) };
  }
  throw nodeOutage(
    what,
    `the server lists more than ${PAGES_MOST * PAGE_SIZE} transactions at once`,
  );
}

/** Asks for half as many transactions until the answer is short enough to be read. */
async function askPage(server: XrplServer, question: Fields, most: number) {
  for (let limit = most; ; limit = Math.max(PAGE_SIZE_LEAST, Math.floor(limit / 2))) {
    try {
      const answer = await server.ask('account_tx', { ...question, limit }, ['actNotFound']);
      return answer === undefined ? undefined : { answer, limit };
    } catch (error) {
      if (!(error instanceof AnswerTooLong) || limit <= PAGE_SIZE_LEAST) throw error;
    }
  }
}

function requireInRange(record: Fields, { from, upTo }: ListedRange): void {
  const ledger = requireLedgerIndex(record);
  requireThat(ledger >= from && ledger <= upTo, `ledger ${ledger} was not asked for`);
}

/** The marker is sent back as it came. Its form is the server's own. */
function requireMarker(marker: unknown): unknown {
  const isMarker = typeof marker === 'string' || isFields(marker);
  requireThat(isMarker && JSON.stringify(marker).length <= MARKER_MOST, 'a marker is malformed');
  return marker;
}

function bytesOf(record: Fields, name: string): Buffer {
  const text = requireText(record, name);
  const bytes = Buffer.from(text, 'hex');
  // Reading hex ends at the first character that is none.
  requireThat(bytes.length > 0 && bytes.length * 2 === text.length, `${name} is not in hex`);
  return bytes;
}
