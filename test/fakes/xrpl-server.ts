// A server of the XRP Ledger on loopback that serves a ledger in memory (xrpl-ledger.ts) over a real
// WebSocket, as the real one does, and can be told to lie. Its answers have the fields of the
// published ones of API version 2: XRPLF/xrpl-dev-portal, _api-examples/ledger/ws-response.json,
// _api-examples/server_info/ws-response.json, and the pages of account_tx, account_info and
// subscribe (compared in xrpl-server.test.ts); entries in hex as in rippled's AccountTx.cpp.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type FakeLedger,
  type FakeRoot,
  type FakeTransaction,
  type FakeXrpl,
  type Json,
  rootIndexOf,
} from './xrpl-ledger.ts';

export type XrplQuestion = Json & { readonly id: unknown; readonly command: string };

export type FakeXrplServer = {
  readonly url: string;
  /** Every question, in order. */
  readonly asked: XrplQuestion[];
  /** Changes a result before it is sent. */
  tamper: (question: XrplQuestion, result: Json) => unknown;
  /** Changes the whole answer. */
  tamperAnswer: (question: XrplQuestion, answer: Json) => Json;
  /** Changes the text of an answer; several are sent one after the other. */
  tamperText: (question: XrplQuestion, text: string) => string | readonly string[];
  /** Answers with this error code instead. */
  refuse: (question: XrplQuestion) => string | undefined;
  /** Does not answer. */
  isSilent: (question: XrplQuestion) => boolean;
  /** Hangs up instead of answering. */
  hangsUp: (question: XrplQuestion) => boolean;
  networkId: number | undefined;
  /** Ledgers of the past that its state names (LedgerHashes); none where it began a while ago. */
  past: Json | undefined;
  serverState: string;
  isAmendmentBlocked: boolean;
  /** Of server_info; by default everything there is. */
  completeLedgers: string | undefined;
  /** Knows so many ledgers fewer. */
  lag: number;
  /** Transactions that exist and are in no listing. */
  readonly hidden: Set<string>;
  pageSize: number;
  /** A ledger closes by itself when somebody looks and the last one is older. Milliseconds. */
  closesEveryMs: number;
  /** Tells everybody who subscribed of the last ledger. */
  announce(): void;
  close(): Promise<void>;
};

export async function startFakeXrplServer(
  xrpl: FakeXrpl,
  now: () => Temporal.Instant,
  port = 0,
): Promise<FakeXrplServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  await once(server, 'listening');
  const listeners = new Set<WebSocket>();
  const address = server.address() as AddressInfo;
  const fake: FakeXrplServer = {
    url: `ws://127.0.0.1:${address.port}`,
    asked: [],
    tamper: (_, result) => result,
    tamperAnswer: (_, answer) => answer,
    tamperText: (_, text) => text,
    refuse: () => undefined,
    isSilent: () => false,
    hangsUp: () => false,
    networkId: 0,
    past: undefined,
    serverState: 'full',
    isAmendmentBlocked: false,
    completeLedgers: undefined,
    lag: 0,
    hidden: new Set(),
    pageSize: 200,
    closesEveryMs: 4_000,
    announce() {
      for (const socket of listeners) socket.send(JSON.stringify(ledgerClosed(xrpl, fake)));
    },
    async close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await once(server, 'close');
    },
  };

  server.on('connection', (socket) => {
    socket.on('close', () => listeners.delete(socket));
    socket.on('message', (data) => {
      const question = JSON.parse(String(data)) as XrplQuestion;
      fake.asked.push(question);
      if (question.command === 'subscribe') listeners.add(socket);
      if (fake.isSilent(question)) return;
      if (fake.hangsUp(question)) return socket.terminate();
      const texts = answerText(question);
      for (const text of typeof texts === 'string' ? [texts] : texts) socket.send(text);
    });
  });

  function answerText(question: XrplQuestion): string | readonly string[] {
    const { id } = question;
    const code = fake.refuse(question);
    const found = code === undefined ? answerTo(xrpl, fake, question, now()) : code;
    const answer =
      typeof found === 'string'
        ? { id, status: 'error', type: 'response', error: found, request: question }
        : {
            id,
            api_version: 2,
            status: 'success',
            type: 'response',
            result: fake.tamper(question, found),
          };
    const text = JSON.stringify(fake.tamperAnswer(question, answer));
    return fake.tamperText(question, text);
  }
  return fake;
}

/** The result, or the code of an error. */
function answerTo(
  xrpl: FakeXrpl,
  fake: FakeXrplServer,
  question: XrplQuestion,
  now: Temporal.Instant,
): Json | string {
  if (question.command === 'ledger' && question.ledger_index === 'validated') {
    closeWhenDue(xrpl, fake, now);
  }
  const ledgers = xrpl.ledgers.slice(0, xrpl.ledgers.length - fake.lag);
  switch (question.command) {
    case 'subscribe':
      return {};
    case 'server_info':
      return { info: serverInfo(ledgers, fake) };
    case 'ledger': {
      const ledger = ledgerOf(ledgers, question.ledger_index);
      if (ledger === undefined) return 'lgrNotFound';
      return {
        ...placeOf(ledger),
        ledger: { ...shownHeader(ledger), ...expanded(ledger, question) },
      };
    }
    case 'ledger_entry':
      return pastEntry(ledgers, fake, question);
    case 'account_info':
      return accountInfo(ledgers, question);
    case 'account_tx':
      return accountTransactions(ledgers, fake, question);
    case 'fee':
      return feeAnswer(ledgers);
    case 'server_state':
      return {
        state: {
          validated_ledger: { base_fee: 10, reserve_base: 1_000_000, reserve_inc: 200_000 },
        },
      };
    case 'submit':
      return submitted(xrpl, String(question.tx_blob));
    case 'tx': {
      const all = ledgers.flatMap(({ transactions }) => transactions);
      const found = all.find(({ hash }) => hash === question.transaction);
      return found === undefined ? 'txnNotFound' : { hash: found.hash, validated: true };
    }
    default:
      return 'unknownCmd';
  }
}

/** The page of `fee`. */
function feeAnswer(ledgers: readonly FakeLedger[]): Json {
  return {
    current_ledger_size: '14',
    drops: { base_fee: '10', median_fee: '5000', minimum_fee: '10', open_ledger_fee: '10' },
    ledger_current_index: (ledgers.at(-1)?.index ?? 0) + 1,
  };
}

/** The page of `submit`. */
function submitted(xrpl: FakeXrpl, blob: string): Json {
  const result = xrpl.submit(blob);
  return {
    accepted: result === 'tesSUCCESS',
    engine_result: result,
    engine_result_message: `as ${result} says`,
    tx_blob: blob,
  };
}

/** One entry of the state, asked for by its index. */
function pastEntry(
  ledgers: readonly FakeLedger[],
  { past }: FakeXrplServer,
  { index, ledger_index: asked }: XrplQuestion,
): Json | string {
  const ledger = ledgerOf(ledgers, asked);
  if (ledger === undefined) return 'lgrNotFound';
  if (past === undefined || past.index !== index) return 'entryNotFound';
  return { index, ...placeOf(ledger), node: past };
}

function closeWhenDue(xrpl: FakeXrpl, { closesEveryMs }: FakeXrplServer, now: Temporal.Instant) {
  const last = xrpl.ledgers.at(-1)?.header.close_time as number;
  const ageMs = now.epochMilliseconds - (last + 946_684_800) * 1000;
  if (ageMs >= closesEveryMs) xrpl.close();
}

function ledgerOf(ledgers: readonly FakeLedger[], asked: unknown): FakeLedger | undefined {
  return asked === 'validated' ? ledgers.at(-1) : ledgers.find(({ index }) => index === asked);
}

function placeOf({ hash, index }: FakeLedger): Json {
  return { ledger_hash: hash, ledger_index: index, validated: true };
}

function isoTime(rippleSeconds: unknown): string {
  const ms = (Number(rippleSeconds) + 946_684_800) * 1000;
  return `${Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' })}`;
}

function shownHeader({ header }: FakeLedger): Json {
  const iso = isoTime(header.close_time);
  return { ...header, close_time_human: iso.replace('T', ' '), close_time_iso: iso };
}

/** Everything in the ledger, where it is asked for. */
function expanded(ledger: FakeLedger, { transactions, expand }: XrplQuestion): Json {
  if (transactions !== true || expand !== true) return {};
  return { transactions: ledger.transactions.map((one) => shown(ledger, one, false)) };
}

function rangeText(ledgers: readonly FakeLedger[]): string {
  return `${ledgers[0]?.index}-${ledgers.at(-1)?.index}`;
}

function serverInfo(ledgers: readonly FakeLedger[], fake: FakeXrplServer): Json {
  const last = ledgers.at(-1);
  return {
    ...(fake.isAmendmentBlocked ? { amendment_blocked: true } : {}),
    build_version: '3.0.0',
    complete_ledgers: fake.completeLedgers ?? rangeText(ledgers),
    hostid: 'LEST',
    initial_sync_duration_us: '190181187',
    io_latency_ms: 1,
    jq_trans_overflow: '0',
    last_close: { converge_time_s: 3.001, proposers: 35 },
    load_factor: 1,
    ...(fake.networkId === undefined ? {} : { network_id: fake.networkId }),
    peer_disconnects: '5',
    peer_disconnects_resources: '0',
    peers: 22,
    ports: [{ port: '80', protocol: ['ws'] }],
    pubkey_node: 'n9KQK8yvTDcZdGyhu2EGdDnFPEBSsY5wEgpU5GgpygTgLFsjQyPt',
    server_state: fake.serverState,
    server_state_duration_us: '91535211664',
    state_accounting: { full: { duration_us: '91535211664', transitions: '1' } },
    time: '2026-Jan-01 12:00:00.000000 UTC',
    uptime: 91725,
    validated_ledger: {
      age: 4,
      base_fee_xrp: 0.00001,
      hash: last?.hash,
      reserve_base_xrp: 1,
      reserve_inc_xrp: 0.2,
      seq: last?.index,
    },
    validation_quorum: 28,
  };
}

function ledgerClosed(xrpl: FakeXrpl, fake: FakeXrplServer): Json {
  const last = xrpl.ledgers.at(-1);
  return {
    type: 'ledgerClosed',
    fee_base: 10,
    ledger_hash: last?.hash,
    ledger_index: last?.index,
    ledger_time: last?.header.close_time,
    network_id: fake.networkId,
    reserve_base: 1000000,
    reserve_inc: 200000,
    txn_count: last?.transactions.length,
    validated_ledgers: rangeText(xrpl.ledgers),
  };
}

const FLAG_NAMES: Readonly<Record<string, number>> = {
  defaultRipple: 0x0080_0000,
  depositAuth: 0x0100_0000,
  disableMasterKey: 0x0010_0000,
  disallowIncomingXRP: 0x0008_0000,
  globalFreeze: 0x0040_0000,
  noFreeze: 0x0020_0000,
  passwordSpent: 0x0001_0000,
  requireAuthorization: 0x0004_0000,
  requireDestinationTag: 0x0002_0000,
};

function accountInfo(ledgers: readonly FakeLedger[], question: XrplQuestion): Json | string {
  const ledger = ledgerOf(ledgers, question.ledger_index);
  if (ledger === undefined) return 'lgrNotFound';
  const address = String(question.account);
  const root = ledger.roots.get(address);
  if (root === undefined) return 'actNotFound';
  const flags = Object.entries(FLAG_NAMES).map(([name, flag]) => [name, (root.flags & flag) !== 0]);
  return {
    account_data: rootEntry(address, root),
    account_flags: Object.fromEntries(flags),
    ...placeOf(ledger),
  };
}

function rootEntry(address: string, root: FakeRoot): Json {
  return {
    Account: address,
    Balance: `${root.balance}`,
    Flags: root.flags,
    LedgerEntryType: 'AccountRoot',
    OwnerCount: root.ownerCount,
    PreviousTxnID: root.last?.hash,
    PreviousTxnLgrSeq: root.last?.ledger,
    Sequence: root.sequence,
    index: rootIndexOf(address),
  };
}

function accountTransactions(
  ledgers: readonly FakeLedger[],
  fake: FakeXrplServer,
  question: XrplQuestion,
): Json | string {
  const { account, ledger_index_min: least, ledger_index_max: most, binary, marker } = question;
  const [first, last] = [ledgers[0]?.index ?? 0, ledgers.at(-1)?.index ?? 0];
  if (Number(least) < first || Number(most) > last) return 'lgrIdxMalformed';
  if (Number(least) > Number(most)) return 'lgrIdxsInvalid';
  const listed = ledgers
    .slice(Number(least) - first, Number(most) - first + 1)
    .flatMap((ledger) => ledger.transactions.map((transaction) => ({ ledger, transaction })))
    .filter(({ transaction }) => transaction.accounts.includes(String(account)))
    .filter(({ transaction }) => !fake.hidden.has(transaction.hash));
  const from = (marker as { seq?: number } | undefined)?.seq ?? 0;
  const page = listed.slice(from, from + Math.min(fake.pageSize, Number(question.limit)));
  const next = from + page.length;
  const at = page.at(-1)?.ledger.index;
  return {
    account,
    ledger_index_min: least,
    ledger_index_max: most,
    limit: question.limit,
    ...(next < listed.length ? { marker: { ledger: at, seq: next } } : {}),
    transactions: page.map(({ ledger, transaction }) =>
      shown(ledger, transaction, binary === true),
    ),
    validated: true,
  };
}

export function shown(ledger: FakeLedger, transaction: FakeTransaction, isBinary: boolean): Json {
  const { hash, json, blob, meta, metaBlob, delivered } = transaction;
  // In hex a listing has no more than this (rippled, AccountTx.cpp).
  if (isBinary) {
    const place = { ledger_index: ledger.index, validated: true };
    return { ...place, tx_blob: blob, meta_blob: metaBlob };
  }
  const placed = {
    ...placeOf(ledger),
    hash,
    close_time_iso: isoTime(ledger.header.close_time),
  };
  const { Amount, ...rest } = json;
  const isPayment = json.TransactionType === 'Payment';
  return {
    ...placed,
    meta: delivered === undefined ? meta : { ...meta, delivered_amount: delivered },
    tx_json: {
      ...rest,
      ...(isPayment ? { DeliverMax: Amount } : Amount === undefined ? {} : { Amount }),
      ctid: `C${ledger.index.toString(16).padStart(7, '0')}00000000`.toUpperCase(),
      date: ledger.header.close_time,
      ledger_index: ledger.index,
    },
  };
}
