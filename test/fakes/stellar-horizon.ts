// A Horizon on loopback that serves a network in memory (stellar-ledger.ts) over real HTTP, as the
// real one does, and can be told to lie. Field by field it is compared with the published API in
// stellar-horizon.test.ts.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  assetFields,
  type FakeAccount,
  type FakeClaimable,
  type FakeOperation,
  type FakeRecord,
  type FakeStellar,
  type FakeTransaction,
  NATIVE,
  unitsOf,
  unitsText,
} from './stellar-ledger.ts';

export type HorizonRequest = { readonly path: string; readonly query: URLSearchParams };

export type FakeHorizon = {
  readonly url: string;
  /** Every request, path and query. */
  readonly asked: string[];
  /** Changes an answer before it is written; what it gives back is sent. */
  tamper: (request: HorizonRequest, json: unknown) => unknown;
  /** Changes the text of an answer. */
  tamperText: (request: HorizonRequest, text: string) => string;
  /** Answers this instead: HTTP status and body. */
  refuse: (
    request: HorizonRequest,
  ) => { status: number; body?: string; headers?: object } | undefined;
  /** Hangs up in the middle of each answer. */
  cutsOff: boolean;
  /** Never answers. */
  isSilent: boolean;
  /** States another passphrase. */
  passphrase: string;
  /** Knows so many ledgers fewer, by what is asked ('ledgers', 'payments', 'effects', 'accounts'). */
  lag: (kind: string) => number;
  /** Operations that exist and are never shown. */
  readonly hidden: Set<bigint>;
  /** A ledger closes by itself when somebody looks and the last one is older. Milliseconds. */
  closesEveryMs: number;
  /** Sends an event to every open stream. */
  announce(): void;
  close(): Promise<void>;
};

export async function startFakeHorizon(
  stellar: FakeStellar,
  now: () => Temporal.Instant,
  port = 0,
): Promise<FakeHorizon> {
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => reply(request, response)).listen(
    port,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const fake: FakeHorizon = {
    url: `http://127.0.0.1:${address.port}`,
    asked: [],
    tamper: (_, json) => json,
    tamperText: (_, text) => text,
    refuse: () => undefined,
    cutsOff: false,
    isSilent: false,
    passphrase: stellar.passphrase,
    lag: () => 0,
    hidden: new Set(),
    closesEveryMs: 5_000,
    announce() {
      for (const stream of streams) stream.write('id: 1\ndata: {"id":"1"}\n\n');
    },
    async close() {
      for (const stream of streams) stream.end();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  /** Answers once it is in a ledger, as Horizon does. */
  async function takeTransaction(incoming: IncomingMessage, response: ServerResponse) {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const envelope = new URLSearchParams(Buffer.concat(parts).toString()).get('tx') ?? '';
    const taken = stellar.submit(envelope);
    const isTaken = 'hash' in taken;
    if (isTaken) stellar.close();
    fake.announce();
    const json = isTaken
      ? { ...taken, successful: true }
      : {
          type: 'https://stellar.org/horizon-errors/transaction_failed',
          title: 'Transaction Failed',
          status: 400,
          extras: { envelope_xdr: envelope, result_codes: { transaction: taken.refused } },
        };
    response.writeHead(isTaken ? 200 : 400, { 'content-type': 'application/hal+json' });
    response.end(JSON.stringify(json));
  }

  function reply(incoming: IncomingMessage, response: ServerResponse): void {
    const url = new URL(incoming.url ?? '/', fake.url);
    const request = { path: url.pathname, query: url.searchParams };
    fake.asked.push(`${url.pathname}${url.search}`);
    if (fake.isSilent) return;
    const refused = fake.refuse(request);
    if (refused !== undefined) {
      response.writeHead(refused.status, { ...refused.headers });
      response.end(refused.body ?? '');
      return;
    }
    if (incoming.method === 'POST' && url.pathname === '/transactions') {
      void takeTransaction(incoming, response);
      return;
    }
    if (incoming.headers.accept === 'text/event-stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 1000\nevent: open\ndata: "hello"\n\n');
      streams.add(response);
      response.on('close', () => streams.delete(response));
      return;
    }
    const answer = answerTo(stellar, fake, request, now);
    const json = fake.tamper(request, answer?.json ?? NOT_FOUND);
    const text = fake.tamperText(request, JSON.stringify(json));
    const headers: Record<string, string> = { 'content-type': 'application/hal+json' };
    if (answer?.latestLedger !== undefined) headers['latest-ledger'] = `${answer.latestLedger}`;
    const bytes = Buffer.from(text);
    response.writeHead(answer === undefined ? 404 : 200, {
      ...headers,
      'content-length': bytes.length,
    });
    if (!fake.cutsOff) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  }
  return fake;
}

const NOT_FOUND = {
  type: 'https://stellar.org/horizon-errors/not_found',
  title: 'Resource Missing',
  status: 404,
};

function isPayment(operation: FakeOperation): boolean {
  return operation.isPayment;
}

type Answer = { readonly json: unknown; readonly latestLedger?: number };

function answerTo(
  stellar: FakeStellar,
  fake: FakeHorizon,
  { path, query }: HorizonRequest,
  now: () => Temporal.Instant,
): Answer | undefined {
  const [, first = '', second, third = ''] = path.split('/');
  const kind = third === '' ? first : third;
  if (first === 'ledgers') closeWhenDue(stellar, fake, now());
  const ledgers = stellar.ledgers.slice(0, Math.max(0, stellar.ledgers.length - fake.lag(kind)));
  const latest = ledgers.at(-1)?.sequence ?? 0;
  askedFromOldest(query, ledgers[0]?.sequence ?? 0);
  if (path === '/') return { json: rootOf(fake, latest) };
  if (path === '/paths/strict-send') return { json: pathsOf(stellar, query), latestLedger: latest };
  if (path === '/fee_stats') return { json: feeStats(latest) };
  if (first === 'ledgers' && third === 'payments') {
    const ledger = ledgers.find(({ sequence }) => String(sequence) === second);
    const records = operationRecords(fake, ledger?.transactions ?? [], isPayment, query);
    return ledger && { json: pageOf(records, query) };
  }
  if (first === 'ledgers') {
    return {
      json: pageOf(
        ledgers.map(({ record }) => ledgerRecord(record)),
        query,
      ),
    };
  }
  const transactions = ledgers.flatMap((ledger) => ledger.transactions);
  if (first === 'operations' && second !== undefined) {
    const records = operationRecords(fake, transactions, () => true, query);
    const found = records.find(({ id }) => id === second);
    return found && { json: found };
  }
  if (first === 'transactions' && second !== undefined) {
    const found = transactions.find(({ record }) => record.hash === second);
    return found && { json: transactionOf(found) };
  }
  if (first === 'claimable_balances' && second !== undefined) {
    const found = stellar.claimables.get(second);
    return found && { json: claimableRecord(second, found) };
  }
  if (first !== 'accounts' || second === undefined) return undefined;
  if (third === '') {
    const account = stellar.accounts.get(second);
    const sponsored = [...stellar.claimables.values()]
      .filter(({ sponsor }) => sponsor === second)
      .reduce((sum, { claimants }) => sum + claimants.length, 0);
    return account && { json: accountRecord(second, account, sponsored), latestLedger: latest };
  }
  const ours = transactions.filter(({ accounts }) => accounts.has(second));
  switch (third) {
    case 'payments': {
      const isListed = ({ accounts, isPayment }: FakeOperation) =>
        isPayment && accounts.has(second);
      return { json: pageOf(operationRecords(fake, ours, isListed, query), query) };
    }
    case 'effects':
      return { json: pageOf(effectRecords(fake, ours, second), query) };
    case 'transactions': {
      const all = query.get('include_failed') === 'true';
      const shown = ours.filter(({ isSuccessful }) => all || isSuccessful);
      return { json: pageOf(shown.map(transactionOf), query) };
    }
    default:
      return undefined;
  }
}

/**
 * Up to the place of its oldest ledger, and that place too, a listing begins with the oldest, as
 * Horizon does without a word (validateAndAdjustCursor of its actions).
 */
function askedFromOldest(query: URLSearchParams, oldest: number): void {
  const [id = ''] = (query.get('cursor') ?? '').split('-');
  if (query.get('order') !== 'asc' || !/^\d+$/.test(id)) return;
  if (BigInt(id) <= BigInt(oldest) << 32n) query.delete('cursor');
}

function closeWhenDue(stellar: FakeStellar, fake: FakeHorizon, now: Temporal.Instant): void {
  const last = stellar.ledgers.at(-1)?.record.closed_at;
  const age = now.since(Temporal.Instant.from(String(last))).total('milliseconds');
  if (age >= fake.closesEveryMs) stellar.close();
}

function rootOf(fake: FakeHorizon, latest: number): FakeRecord {
  return {
    _links: {},
    horizon_version: '23.0.0-fake',
    core_version: 'stellar-core 22.4.1 (fake)',
    ingest_latest_ledger: latest,
    history_latest_ledger: latest,
    history_latest_ledger_closed_at: '2026-01-01T00:00:00Z',
    history_elder_ledger: 1,
    core_latest_ledger: latest,
    network_passphrase: fake.passphrase,
    current_protocol_version: 22,
    supported_protocol_version: 22,
    core_supported_protocol_version: 22,
  };
}

/** Horizon, Fee Stats. */
function feeStats(latest: number): FakeRecord {
  const tenths = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99].map((part) => [`p${part}`, '100']);
  const fees = { max: '100', min: '100', mode: '100', ...Object.fromEntries(tenths) };
  return {
    last_ledger: `${latest}`,
    last_ledger_base_fee: '100',
    ledger_capacity_usage: '0.01',
    fee_charged: fees,
    max_fee: fees,
  };
}

/** Horizon, List Strict Send Payment Paths: the asset that is named, at most one path. */
function pathsOf(stellar: FakeStellar, query: URLSearchParams): FakeRecord {
  const [code, issuer] = ['source_asset_code', 'source_asset_issuer'].map((name) =>
    query.get(name),
  );
  const give = query.get('source_asset_type') === 'native' ? NATIVE : `${code}:${issuer}`;
  const wanted = query.get('destination_assets') ?? '';
  const get = wanted === 'native' ? NATIVE : wanted;
  const units = unitsOf(query.get('source_amount') ?? '');
  const found = stellar.market(give, units, get);
  const record = found && {
    ...assetFields(give, 'source_'),
    source_amount: unitsText(units),
    ...assetFields(get, 'destination_'),
    destination_amount: unitsText(found.units),
    path: found.path.map((assetId) => assetFields(assetId)),
  };
  return { _embedded: { records: record === undefined ? [] : [record] } };
}

function ledgerRecord(record: FakeRecord): FakeRecord {
  return { _links: {}, ...record };
}

function transactionOf({ record }: FakeTransaction): FakeRecord {
  return { _links: {}, ...record };
}

function operationRecords(
  fake: FakeHorizon,
  transactions: readonly FakeTransaction[],
  isListed: (operation: FakeOperation) => boolean,
  query: URLSearchParams,
): FakeRecord[] {
  return transactions
    .filter(({ isSuccessful }) => isSuccessful || query.get('include_failed') === 'true')
    .flatMap((transaction) =>
      transaction.operations
        .filter((operation) => isListed(operation) && !fake.hidden.has(operation.id))
        .map((operation) => ({
          _links: {},
          id: operation.id.toString(),
          paging_token: operation.id.toString(),
          transaction_successful: transaction.isSuccessful,
          type: operation.type,
          type_i: TYPE_NUMBERS[operation.type],
          created_at: transaction.record.created_at,
          transaction_hash: transaction.record.hash,
          ...operation.fields,
          ...(query.get('join') === 'transactions'
            ? { transaction: transactionOf(transaction) }
            : {}),
        })),
    );
}

const TYPE_NUMBERS: Readonly<Record<string, number>> = {
  create_account: 0,
  payment: 1,
  path_payment_strict_receive: 2,
  manage_sell_offer: 3,
  account_merge: 8,
  manage_data: 10,
  path_payment_strict_send: 13,
  create_claimable_balance: 14,
  claim_claimable_balance: 15,
  clawback: 19,
  invoke_host_function: 24,
};

const EFFECT_NUMBERS: Readonly<Record<string, number>> = {
  account_created: 0,
  account_removed: 1,
  account_credited: 2,
  account_debited: 3,
  trade: 33,
  data_created: 40,
  claimable_balance_created: 50,
  claimable_balance_claimant_created: 51,
  claimable_balance_claimed: 52,
};

function effectRecords(
  fake: FakeHorizon,
  transactions: readonly FakeTransaction[],
  account: string,
): FakeRecord[] {
  return transactions
    .filter(({ isSuccessful }) => isSuccessful)
    .flatMap(({ operations, record }) =>
      operations
        .filter(({ id }) => !fake.hidden.has(id))
        .flatMap(({ id, effects }) =>
          effects
            .map((effect, index) => ({ effect, order: index + 1 }))
            .filter(({ effect }) => effect.account === account)
            .map(({ effect, order }) => ({
              _links: {},
              id: `${id.toString().padStart(19, '0')}-${order.toString().padStart(10, '0')}`,
              paging_token: `${id}-${order}`,
              account,
              type: effect.type,
              type_i: EFFECT_NUMBERS[effect.type],
              created_at: record.created_at,
              ...effect.fields,
            })),
        ),
    );
}

/** Horizon, The Claimable Balance Object. */
function claimableRecord(id: string, { assetId, units, ...of }: FakeClaimable): FakeRecord {
  return {
    _links: {},
    id,
    asset: assetId === NATIVE ? 'native' : assetId,
    amount: unitsText(units),
    sponsor: of.sponsor,
    last_modified_ledger: 1,
    last_modified_time: '2026-01-01T00:00:00Z',
    claimants: of.claimants.map(({ destination, predicate }) => {
      if (predicate.switch().name === 'claimPredicateUnconditional') {
        return { destination, predicate: { unconditional: true } };
      }
      const seconds = Number(predicate.notPredicate()?.absBefore().toBigInt() ?? 0n);
      const before = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString();
      const not = { abs_before: before, abs_before_epoch: String(seconds) };
      return { destination, predicate: { not } };
    }),
    flags: { clawback_enabled: false },
    paging_token: `1-${id}`,
  };
}

function accountRecord(address: string, account: FakeAccount, sponsored: number): FakeRecord {
  const issued = [...account.lines].filter(([assetId]) => assetId !== NATIVE);
  const lumens = account.lines.get(NATIVE);
  return {
    _links: {},
    id: address,
    account_id: address,
    sequence: account.sequence.toString(),
    subentry_count: issued.length + account.data.size,
    last_modified_ledger: account.changedAt,
    last_modified_time: '2026-01-01T00:00:00Z',
    thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
    flags: {
      auth_required: false,
      auth_revocable: false,
      auth_immutable: false,
      auth_clawback_enabled: false,
    },
    balances: [
      ...issued.map(([assetId, line]) => ({
        balance: unitsText(line.units),
        limit: unitsText(line.limit),
        buying_liabilities: '0.0000000',
        selling_liabilities: '0.0000000',
        last_modified_ledger: line.changedAt,
        is_authorized: line.isAuthorised,
        is_authorized_to_maintain_liabilities: true,
        ...(line.canBeClawedBack ? { is_clawback_enabled: true } : {}),
        ...assetFields(assetId),
      })),
      {
        balance: unitsText(lumens?.units ?? 0n),
        buying_liabilities: '0.0000000',
        selling_liabilities: '0.0000000',
        ...assetFields(NATIVE),
      },
    ],
    signers: account.signers.map((key) => ({ weight: 1, key, type: 'ed25519_public_key' })),
    data: Object.fromEntries(account.data),
    num_sponsoring: sponsored,
    num_sponsored: 0,
    paging_token: address,
  };
}

/** By cursor, order and limit, as Horizon pages. */
function pageOf(records: readonly FakeRecord[], query: URLSearchParams): FakeRecord {
  const isRising = query.get('order') === 'asc';
  const cursor = query.get('cursor') ?? '';
  const ordered = isRising ? records : records.toReversed();
  const after = ordered.filter((record) => {
    if (cursor === '') return true;
    const order = comparePlaces(String(record.paging_token), cursor);
    return isRising ? order > 0 : order < 0;
  });
  const limit = Number(query.get('limit') ?? '10');
  return {
    _links: { self: { href: '' }, next: { href: '' }, prev: { href: '' } },
    _embedded: { records: after.slice(0, limit) },
  };
}

function comparePlaces(left: string, right: string): number {
  const [leftId = '', leftOrder = '0'] = left.split('-');
  const [rightId = '', rightOrder = '0'] = right.split('-');
  const difference = BigInt(leftId) - BigInt(rightId) || BigInt(leftOrder) - BigInt(rightOrder);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
