// Money for a receiver without a trust line: left on Stellar to be claimed where the operator allows
// it, known by its balance, and ours again where nobody fetched it in time.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Networks, Operation, Transaction } from '@stellar/stellar-base';
import { Refusal } from '#base/refusal.ts';
import { draftTakeBack } from '#claimable/draft-take-back.ts';
import { sql } from '#db/db.ts';
import { balancesOf } from '#ledger/account.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { sendSigned, sendSignedMove } from '#sending/send-signed.ts';
import { OPEN_TRANSFER, transferView } from '#transfer/transfer.ts';
import { openPayouts, type Payouts } from './stellar-payouts.ts';
import { type StellarWorldOptions, seededKey, USDC, XLM } from './stellar-world.ts';

const receiver = seededKey(40);
const account = { account: receiver.publicKey() };
const UNITS = 10_000_000n;
const DAY_MS = 86_400_000;

let world: Payouts;
async function open(options: StellarWorldOptions = {}): Promise<void> {
  world = await openPayouts({ withSecond: true, claimableDays: 90, ...options });
  world.stellar.addAccount(receiver);
}
afterEach(() => world?.close());

const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return `${error.code} ${error.details.join()}`;
      throw error;
    },
  );

async function read(id: string) {
  const found = await OPEN_TRANSFER.find(world.app.db, sql`where id = ${id}`);
  assert(found !== undefined);
  return found;
}

const takeBack = (id: string) => draftTakeBack(world.sendApp, id, 'anna');

async function available(): Promise<bigint> {
  const balances = await balancesOf(world.app.db, world.caller);
  const isMeant = ({ code, assetId }: { code: string; assetId: string }) =>
    code === 'merchant:available' && assetId === USDC;
  return balances.find(isMeant)?.units ?? 0n;
}

/** Left for the receiver, in a ledger, and booked. */
async function leave() {
  const { id } = await world.payOut(UNITS, account);
  const { drafted } = await world.draft(id);
  await sendSigned(world.sendApp, id, Buffer.from(world.sign(drafted.text)));
  await world.see();
  const [balance] = [...world.stellar.claimables];
  assert(balance !== undefined);
  return { id, drafted, balanceId: balance[0], balance: balance[1] };
}

async function assertBooks(): Promise<void> {
  const { db } = world.app;
  assert.deepEqual((await verifyLedger(db)).faults, []);
  const faults = await verifyReasons(db);
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('(funds:')),
    [],
  );
}

test('where the operator did not say so nothing is left to be claimed', async () => {
  world = await openPayouts();
  world.stellar.addAccount(receiver);
  const { id } = await world.payOut(UNITS, account);
  assert.match(await codeOf(world.draft(id)), /payment_not_sendable .*no trust line for USDC/);
});

test('it is left for exactly the receiver, then for us, and told by its balance', async () => {
  await open();
  const before = await available();
  const { id, drafted, balanceId, balance } = await leave();
  const [operation] = new Transaction(drafted.text, Networks.PUBLIC).operations;
  assert.equal(operation?.type, 'createClaimableBalance');
  assert.deepEqual([balance.units, balance.assetId, balance.sponsor], [UNITS, USDC, world.account]);
  assert.deepEqual(
    balance.claimants.map(({ destination, predicate }) => [destination, predicate.switch().name]),
    [
      [account.account, 'claimPredicateUnconditional'],
      [world.account, 'claimPredicateNot'],
    ],
  );
  const transfer = await read(id);
  const { state, claimableBalance } = transferView(transfer);
  const { at } = { at: Temporal.Instant.from(claimableBalance?.reclaimableFrom ?? '') };
  assert.deepEqual([state, claimableBalance?.id], ['COMPLETED', balanceId]);
  const days = at.since(world.clock.now()).total('hours') / 24;
  assert(days > 89.9 && days <= 90, `${days}`);
  assert.equal(await available(), before - UNITS);
  await assertBooks();
});

test('an account that asks for a memo, is not there, or whose line is shut is not left anything', async () => {
  await open();
  world.stellar.accounts.get(account.account)?.data.set('config.memo_required', 'MQ==');
  const { id } = await world.payOut(UNITS, account);
  assert.match(await codeOf(world.draft(id)), /demands a memo/);
  const nobody = await world.payOut(UNITS, { account: seededKey(41).publicKey() });
  assert.match(await codeOf(world.draft(nobody.id)), /does not exist/);
  const named = await world.payOut(UNITS, { ...account, memo: '7', memoType: 'id' });
  assert.match(await codeOf(world.draft(named.id)), /told apart by a memo/);
  const shut = seededKey(42);
  world.stellar.addAccount(shut);
  world.stellar.addLine(shut.publicKey(), USDC, { isAuthorised: false });
  const frozen = await world.payOut(UNITS, { account: shut.publicKey() });
  assert.match(await codeOf(world.draft(frozen.id)), /not authorised/);
});

test('our own reserve is not taken for it', async () => {
  await open();
  const line = world.stellar.accounts.get(world.account)?.lines.get(XLM);
  assert(line !== undefined);
  const { id } = await world.payOut(UNITS, account);
  const held = line.units;
  // Two base reserves of its own, its trust line and its data entry, 0.5 each; and 1 for two claimants.
  line.units = 30_000_000n + 100n - 1n;
  assert.match(await codeOf(world.draft(id)), /reserve of 1 XLM for what it leaves to be claimed/);
  line.units += 1n;
  assert.equal(await codeOf(world.draft(id)), 'done');
  line.units = held;
});

test('what nobody fetched comes back, once its time is over, to where the transfer took it', async () => {
  await open();
  const before = await available();
  const { id, balanceId } = await leave();
  assert.match(await codeOf(takeBack(id)), /draft_refused its receiver may fetch it until/);
  await world.clock.advance(90 * DAY_MS);
  await world.see();
  const { drafted, draft } = await takeBack(id);
  const [operation] = new Transaction(drafted.text, Networks.PUBLIC).operations;
  assert.deepEqual(
    [operation?.type, operation?.type === 'claimClaimableBalance' && operation.balanceId],
    ['claimClaimableBalance', balanceId],
  );
  const other = await world.payOut(UNITS, account);
  assert.match(await codeOf(world.draft(other.id)), /draft_refused what takes back/);
  assert.match(await codeOf(takeBack(id)), /draft_refused what takes back/);
  const signed = Buffer.from(world.sign(drafted.text));
  await sendSignedMove(world.sendApp, draft, signed, 'anna');
  await world.see();
  await world.see();
  const returned = await read(id);
  assert.deepEqual([returned.state, returned.returnedUnits], ['RETURNED', UNITS]);
  assert.match(returned.failure ?? '', new RegExp(`never fetched it.*${balanceId}`));
  assert.equal(await available(), before - UNITS);
  const told = await world.app.db.query(
    sql`select type from event where subject_id = ${id} order by sequence`,
  );
  assert.deepEqual(told, [{ type: 'TRANSFER_COMPLETED' }, { type: 'TRANSFER_RETURNED' }]);
  assert.match(await codeOf(takeBack(id)), /it is RETURNED/);
  assert.equal(await codeOf(world.draft(other.id)), 'done');
  await assertBooks();
});

test('what its receiver fetched is not taken back, and nothing moves', async () => {
  await open();
  const { id, balanceId } = await leave();
  world.stellar.addLine(account.account, USDC);
  world.stellar.send([Operation.claimClaimableBalance({ balanceId })], { from: receiver });
  world.stellar.close();
  await world.see();
  await world.clock.advance(91 * DAY_MS);
  await world.see();
  assert.match(await codeOf(takeBack(id)), /its receiver has fetched it/);
  assert.equal((await read(id)).state, 'COMPLETED');
  await assertBooks();
});

test('what a transfer was not left in is not taken back', async () => {
  await open();
  world.stellar.addLine(account.account, USDC);
  const { id } = await world.payOut(UNITS, account);
  assert.match(await codeOf(takeBack(id)), /nothing to be taken back/);
  assert.match(await codeOf(takeBack('nothing')), /transfer_missing/);
  const { drafted } = await world.draft(id);
  world.submit(drafted.text);
  await world.see();
  assert.match(await codeOf(takeBack(id)), /nothing to be taken back/);
});

test('a Horizon that shows another balance than was left drafts nothing', async () => {
  await open();
  const { id } = await leave();
  await world.clock.advance(90 * DAY_MS);
  await world.see();
  for (const [field, value] of [
    ['amount', '2.0000000'],
    ['asset', 'native'],
    ['id', `${'0'.repeat(8)}${'ab'.repeat(32)}`],
  ]) {
    for (const one of [world.horizon, world.second]) {
      if (one === undefined) continue;
      one.tamper = ({ path }, json) =>
        path.startsWith('/claimable_balances/')
          ? { ...(json as object), [field ?? '']: value }
          : json;
    }
    const error = await takeBack(id).catch((fault: unknown) => fault);
    assert(error instanceof Error, `${field}`);
  }
});

test('that we fetched it is believed when a second Horizon has it too', async () => {
  await open();
  const { id } = await leave();
  await world.clock.advance(90 * DAY_MS);
  await world.see();
  const { drafted } = await takeBack(id);
  world.submit(drafted.text);
  const last = world.stellar.ledgers.at(-1)?.transactions[0]?.operations[0];
  assert(last !== undefined);
  world.second?.hidden.add(last.id);
  const [failure] = await world.observe();
  assert.match(`${failure?.cause}`, /only one of two has/);
  world.second?.hidden.clear();
  await world.see();
  await world.see();
  assert.equal((await read(id)).state, 'RETURNED');
});

test('a result that names another balance than was signed is a lie', async () => {
  await open();
  const { id } = await world.payOut(UNITS, account);
  const { drafted } = await world.draft(id);
  world.submit(drafted.text);
  const record = world.stellar.ledgers.at(-1)?.transactions[0]?.record;
  assert(record !== undefined);
  const right = String(record.result_xdr);
  const [balanceId = ''] = [...world.stellar.claimables.keys()];
  const bytes = Buffer.from(right, 'base64').toString('hex');
  const wrong = bytes.replace(balanceId.slice(8), 'ab'.repeat(32));
  assert.notEqual(wrong, bytes);
  record.result_xdr = Buffer.from(wrong, 'hex').toString('base64');
  const [failure] = await world.observe();
  assert.match(`${failure?.cause}`, /has another id than it says/);
  record.result_xdr = right;
  await world.see();
  assert.equal((await read(id)).state, 'COMPLETED');
});
