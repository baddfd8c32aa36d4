// Transactions of our account over a range of ledgers (`account_tx`), page by page. Guarantees: the
// server looked at the whole range and at nothing else; no transaction comes twice; the order is
// ours (pages are in order, but not what is in them).

import {
  type Fields,
  isFields,
  requireFields,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import type { AskedAccount } from './read-account.ts';
import { ACCOUNT, type BlobFields, readBlob } from './read-blob.ts';
import { type AccountChange, readChange } from './read-change.ts';
import { sha512Half } from './xrpl-address.ts';
import { requireList, requireSequence, requireValidated } from './xrpl-fields.ts';
import { outage, type XrplServer } from './xrpl-server.ts';

export type ListedRange = AskedAccount & {
  readonly server: XrplServer;
  readonly what: string;
  readonly from: bigint;
  readonly upTo: bigint;
};

const PAGE_SIZE = 200;
const PAGES_MOST = 500;
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

export type SignedTransaction = {
  readonly ledger: bigint;
  readonly transaction: BlobFields;
  readonly meta: BlobFields;
};

/** The transactions as they were signed, by the hash of what was signed. @throws NodeLie, Outage */
export async function listSigned(range: ListedRange): Promise<Map<string, SignedTransaction>> {
  const signed = new Map<string, SignedTransaction>();
  for (const record of await listAll(range, true)) {
    requireInRange(record, range);
    requireValidated(record, 'a transaction');
    const blob = bytesOf(record, 'tx_blob');
    const hash = sha512Half(Buffer.concat([PREFIX, blob]));
    const transaction = readBlob(blob);
    requireThat(transaction.has(ACCOUNT), 'a transaction is from nobody');
    const meta = readBlob(bytesOf(record, 'meta_blob'));
    signed.set(hash, { ledger: requireSequence(record), transaction, meta });
  }
  return signed;
}

async function listAll(range: ListedRange, binary: boolean): Promise<Fields[]> {
  const { server, what, account, from, upTo } = range;
  const question = {
    account,
    ledger_index_min: Number(from),
    ledger_index_max: Number(upTo),
    forward: true,
    limit: PAGE_SIZE,
    binary,
  };
  const records: Fields[] = [];
  let marker: Fields = {};
  for (let page = 0; page < PAGES_MOST; page += 1) {
    // Of an account that never was some servers have a listing, others none.
    const answer = await server.ask('account_tx', { ...question, ...marker }, ['actNotFound']);
    if (answer === undefined) return records;
    requireThat(requireText(answer, 'account') === account, 'a listing is of another account');
    requireThat(
      requireSequence(answer, 'ledger_index_min') === from &&
        requireSequence(answer, 'ledger_index_max') === upTo,
      'a listing does not cover what was asked for',
    );
    const listed = requireList(answer, 'transactions');
    records.push(...listed.map((record) => requireFields(record, 'a transaction')));
    if (answer.marker === undefined) return records;
    marker = { marker: requireMarker(answer.marker) };
  }
  throw outage(what, `the server lists more than ${PAGES_MOST} pages at once`);
}

function requireInRange(record: Fields, { from, upTo }: ListedRange): void {
  const ledger = requireSequence(record);
  requireThat(ledger >= from && ledger <= upTo, `ledger ${ledger} was not asked for`);
}

/** Given back as it came; its form is the server's own. */
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
