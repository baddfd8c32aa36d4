// The fake Horizon answers with the fields of the real one. Field lists: protocols/horizon/main.go,
// operations/main.go and effects/main.go of stellar/go-stellar-sdk (all fields without "omitempty"),
// and the examples of stellar/stellar-docs, openapi/components/examples/responses.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Memo, Operation } from '@stellar/stellar-base';
import type { FakeRecord } from './stellar-ledger.ts';
import { muxed, openStellarWorld, type StellarWorld, USDC } from './stellar-world.ts';

const ROOT = `_links horizon_version core_version ingest_latest_ledger history_latest_ledger
  history_latest_ledger_closed_at history_elder_ledger core_latest_ledger network_passphrase
  current_protocol_version supported_protocol_version core_supported_protocol_version`;
const LEDGER = `_links id paging_token hash prev_hash sequence successful_transaction_count
  failed_transaction_count operation_count tx_set_operation_count closed_at total_coins fee_pool
  base_fee_in_stroops base_reserve_in_stroops max_tx_set_size protocol_version header_xdr`;
const ACCOUNT = `_links id account_id sequence subentry_count last_modified_ledger
  last_modified_time thresholds flags balances signers data num_sponsoring num_sponsored
  paging_token`;
const BALANCE = `balance limit buying_liabilities selling_liabilities last_modified_ledger
  is_authorized is_authorized_to_maintain_liabilities asset_type asset_code asset_issuer`;
const NATIVE_BALANCE = 'balance buying_liabilities selling_liabilities asset_type';
const TRANSACTION = `_links id paging_token successful hash ledger created_at source_account
  source_account_sequence fee_account fee_charged max_fee operation_count envelope_xdr result_xdr
  fee_meta_xdr memo_type signatures`;
const OPERATION = `_links id paging_token transaction_successful source_account type type_i
  created_at transaction_hash`;
const PAYMENT = `${OPERATION} asset_type from to amount`;
const MUXED_PAYMENT = `${PAYMENT} to_muxed to_muxed_id`;
const ISSUED = 'asset_code asset_issuer';
const EFFECT = '_links id paging_token account type type_i created_at asset_type amount';
const PATH = `source_asset_type source_amount destination_asset_type destination_asset_code
  destination_asset_issuer destination_amount path`;
const CREATION = `${OPERATION} starting_balance funder account`;
const MERGE = `${OPERATION} account into`;

let world: StellarWorld;
before(async () => {
  world = await openStellarWorld();
});
after(() => world?.close());

async function ask(path: string): Promise<FakeRecord> {
  const response = await fetch(`${world.horizon.url}${path}`);
  return (await response.json()) as FakeRecord;
}

async function lastRecord(path: string): Promise<FakeRecord> {
  const page = await ask(`${path}${path.includes('?') ? '&' : '?'}order=desc&limit=1`);
  const { records } = page._embedded as { records: FakeRecord[] };
  assert(records[0] !== undefined);
  return records[0];
}

function sameFields(record: unknown, fields: string): void {
  const names = Object.keys(record as object);
  assert.deepEqual(names.sort(), fields.split(/\s+/).sort());
}

test('root, ledgers and accounts have the fields of the real ones', async () => {
  sameFields(await ask('/'), ROOT);
  sameFields(await lastRecord('/ledgers'), LEDGER);
  const account = await ask(`/accounts/${world.account}`);
  sameFields(account, ACCOUNT);
  const [issued, native] = account.balances as FakeRecord[];
  sameFields(issued, BALANCE);
  sameFields(native, NATIVE_BALANCE);
});

test('operations, transactions and effects have the fields of the real ones', async () => {
  const { account, customer, stellar } = world;
  const payments = `/accounts/${account}/payments?join=transactions`;
  world.pay({ units: 5n, assetId: USDC });
  const paid = await lastRecord(payments);
  const { transaction, ...payment } = paid;
  sameFields(payment, `${PAYMENT} ${ISSUED}`);
  sameFields(transaction, TRANSACTION);
  sameFields(await lastRecord(`/accounts/${account}/effects`), `${EFFECT} ${ISSUED}`);
  sameFields(await lastRecord(`/accounts/${account}/transactions`), TRANSACTION);

  world.pay({ units: 5n, to: muxed(account, '7'), memo: Memo.text('7'), bumpedBy: customer });
  const { transaction: bumped, ...muxedPayment } = await lastRecord(payments);
  sameFields(muxedPayment, MUXED_PAYMENT);
  const bump = 'fee_bump_transaction inner_transaction memo memo_bytes';
  sameFields(bumped, `${TRANSACTION} ${bump}`);
  const credited = await lastRecord(`/accounts/${account}/effects`);
  sameFields(credited, `${EFFECT} account_muxed account_muxed_id`);

  const destination = 'GBJCHUKZMTFSLOMNC7P4TS4VJJBTCYL3XKSOLXAUJSD56C4LHND5TWUC';
  stellar.send([Operation.createAccount({ destination, startingBalance: '2' })], {
    from: customer,
  });
  stellar.close();
  const { transaction: _, ...creation } = await lastRecord(payments.replace(account, destination));
  sameFields(creation, CREATION);

  stellar.send([Operation.accountMerge({ destination: account })], { from: customer });
  stellar.close();
  const { transaction: __, ...merge } = await lastRecord(payments);
  sameFields(merge, MERGE);
});

test('paths have the fields of the real ones, and their assets too', async () => {
  const asked = `source_asset_type=native&source_amount=5&destination_assets=${USDC}`;
  const find = async () => (await ask(`/paths/strict-send?${asked}`))._embedded as FakeRecord;
  assert.deepEqual((await find()).records, []);
  world.stellar.market = () => ({ units: 7n, path: ['XLM:NATIVE', USDC] });
  const [record = {}] = (await find()).records as FakeRecord[];
  sameFields(record, PATH);
  const [native, issued] = record.path as FakeRecord[];
  sameFields(native, 'asset_type');
  sameFields(issued, `asset_type ${ISSUED}`);
});

test('ids are as the real ones: ledger, transaction and operation in one number (TOID)', async () => {
  const { sequence } = world.stellar.ledgers.at(-1) ?? {};
  const { id, transaction } = await lastRecord(
    `/accounts/${world.account}/payments?join=transactions`,
  );
  assert.equal(BigInt(String(id)) >> 32n, BigInt(sequence ?? 0));
  assert.equal(BigInt(String(id)) & 0xfffn, 1n);
  const place = (transaction as FakeRecord).paging_token;
  assert.equal(BigInt(String(place)), BigInt(String(id)) - 1n);
});
