// The server of ours speaks as the real one: the fields of its answers are those of the published
// ones (XRPLF/xrpl-dev-portal: _api-examples/ledger/ws-response.json,
// _api-examples/server_info/ws-response.json, account_tx.md, account_info.md, subscribe.md; listings
// in hex as in AccountTx.cpp of rippled).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeForSigning } from 'ripple-binary-codec';
import { verify } from 'ripple-keypairs';
import { systemClock } from '#base/clock.ts';
import { openXrplServer, type XrplServer } from '#networks/xrpl/xrpl-server.ts';
import {
  type FakeXrpl,
  fakeXrpl,
  type Json,
  PARTIAL_PAYMENT,
  seededXrplKey,
} from './xrpl-ledger.ts';
import { type FakeXrplServer, startFakeXrplServer } from './xrpl-server.ts';

const ENTRY = ['close_time_iso', 'hash', 'ledger_hash', 'ledger_index', 'validated'];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  server_info: [
    'build_version',
    'complete_ledgers',
    'hostid',
    'initial_sync_duration_us',
    'io_latency_ms',
    'jq_trans_overflow',
    'last_close',
    'load_factor',
    'network_id',
    'peer_disconnects',
    'peer_disconnects_resources',
    'peers',
    'ports',
    'pubkey_node',
    'server_state',
    'server_state_duration_us',
    'state_accounting',
    'time',
    'uptime',
    'validated_ledger',
    'validation_quorum',
  ],
  ledger: [
    'account_hash',
    'close_flags',
    'close_time',
    'close_time_human',
    'close_time_iso',
    'close_time_resolution',
    'closed',
    'ledger_hash',
    'ledger_index',
    'parent_close_time',
    'parent_hash',
    'total_coins',
    'transaction_hash',
  ],
  account_data: [
    'Account',
    'Balance',
    'Flags',
    'LedgerEntryType',
    'OwnerCount',
    'PreviousTxnID',
    'PreviousTxnLgrSeq',
    'Sequence',
    'index',
  ],
  json_entry: [...ENTRY, 'meta', 'tx_json'],
  binary_entry: ['ledger_index', 'meta_blob', 'tx_blob', 'validated'],
  payment: [
    'Account',
    'DeliverMax',
    'Destination',
    'DestinationTag',
    'Fee',
    'Flags',
    'LastLedgerSequence',
    'SendMax',
    'Sequence',
    'SigningPubKey',
    'TransactionType',
    'TxnSignature',
    'ctid',
    'date',
    'ledger_index',
  ],
  meta: [
    'AffectedNodes',
    'DeliveredAmount',
    'TransactionIndex',
    'TransactionResult',
    'delivered_amount',
  ],
};

const [shop, customer] = [seededXrplKey(1), seededXrplKey(2)];
let xrpl: FakeXrpl;
let fake: FakeXrplServer;
let server: XrplServer;
before(async () => {
  xrpl = fakeXrpl(() => systemClock.now());
  xrpl.addAccount(shop);
  xrpl.addAccount(customer);
  const fields = { Flags: PARTIAL_PAYMENT, SendMax: '9' };
  const partial = { fields, stated: '5', delivered: '5' };
  xrpl.pay({ from: customer, to: shop.address, drops: 5n, tag: 7, ...partial });
  xrpl.close();
  fake = await startFakeXrplServer(xrpl, () => systemClock.now());
  fake.closesEveryMs = Number.POSITIVE_INFINITY;
  server = openXrplServer({ what: 'test', url: fake.url });
});
after(async () => {
  server?.close();
  await fake?.close();
});

async function ask(command: string, parameters: Json = {}): Promise<Json> {
  const result = await server.ask(command, parameters);
  assert(result !== undefined);
  return result;
}

function hasFields(value: unknown, name: string): void {
  assert.deepEqual(Object.keys(value as Json).sort(), [...(FIELDS[name] ?? [])].sort());
}

test('server_info, ledger and account_info have the published fields', async () => {
  hasFields((await ask('server_info')).info, 'server_info');
  const ledger = await ask('ledger', { ledger_index: 'validated' });
  hasFields(ledger.ledger, 'ledger');
  assert.deepEqual(Object.keys(ledger).sort(), [
    'ledger',
    'ledger_hash',
    'ledger_index',
    'validated',
  ]);
  const ledger_index = Number(ledger.ledger_index);
  const info = await ask('account_info', { account: shop.address, ledger_index });
  hasFields(info.account_data, 'account_data');
  const result = ['account_data', 'account_flags', 'ledger_hash', 'ledger_index', 'validated'];
  assert.deepEqual(Object.keys(info).sort(), result);
});

test('account_tx has the published fields, in JSON and in hex', async () => {
  const last = xrpl.ledgers.at(-1)?.index;
  const range = { account: shop.address, ledger_index_min: last, ledger_index_max: last, limit: 9 };
  const json = await ask('account_tx', { ...range, binary: false });
  const result = [
    'account',
    'ledger_index_max',
    'ledger_index_min',
    'limit',
    'transactions',
    'validated',
  ];
  assert.deepEqual(Object.keys(json).sort(), result);
  const [entry] = json.transactions as Json[];
  assert(entry !== undefined);
  hasFields(entry, 'json_entry');
  hasFields(entry.tx_json, 'payment');
  hasFields(entry.meta, 'meta');
  const binary = await ask('account_tx', { ...range, binary: true });
  hasFields((binary.transactions as Json[])[0], 'binary_entry');
});

test('transactions carry signatures that hold', () => {
  const [payment] = xrpl.ledgers.at(-1)?.transactions ?? [];
  assert(payment !== undefined);
  const { TxnSignature, ...unsigned } = payment.json;
  assert(verify(encodeForSigning(unsigned), String(TxnSignature), customer.publicKey));
});

test('a news of a ledger has the published fields, and wakes', async () => {
  const socket = new WebSocket(fake.url);
  const told = new Promise<Json>((resolve) => {
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as Json;
      if (message.type === 'ledgerClosed') resolve(message);
      else fake.announce();
    };
  });
  socket.onopen = () =>
    socket.send(JSON.stringify({ id: 1, command: 'subscribe', streams: ['ledger'] }));
  const woken = new Promise<void>((resolve) => server.onLedger(resolve));
  assert.deepEqual(Object.keys(await told).sort(), [
    'fee_base',
    'ledger_hash',
    'ledger_index',
    'ledger_time',
    'network_id',
    'reserve_base',
    'reserve_inc',
    'txn_count',
    'type',
    'validated_ledgers',
  ]);
  await woken;
  socket.close();
});
