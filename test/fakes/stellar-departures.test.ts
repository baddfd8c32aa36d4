// What leaves the account on Stellar, as it is recorded: receiver with memo, amount, fee; and what a
// Horizon that lies about it is worth.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Claimant, type Keypair, Memo, Operation } from '@stellar/stellar-base';
import { sql } from '#db/db.ts';
import { assetOf, type FakeStellar, type SendOptions } from './stellar-ledger.ts';
import {
  muxed,
  openStellarWorld,
  type StellarWorld,
  seededKey,
  USDC,
  XLM,
} from './stellar-world.ts';

let world: StellarWorld;
let ours: Keypair;
const other = seededKey(40);
const to = other.publicKey();

beforeEach(async () => {
  world = await openStellarWorld({ withSecond: true });
  world.stellar.addAccount(other);
  ours = world.stellar.accounts.get(world.account)?.key as Keypair;
  world.pay({ units: 500n, assetId: USDC });
  assert.deepEqual(await world.observe(), []);
});
afterEach(() => world?.close());

type Operations = Parameters<FakeStellar['send']>[0];

function send(operations: Operations, options: Partial<SendOptions> = {}): string {
  const hash = world.stellar.send(operations, { from: ours, ...options });
  world.stellar.close();
  return hash;
}

const pay = (units: string, destination = to, assetId = XLM) =>
  Operation.payment({
    destination,
    asset: assetOf(assetId),
    amount: `0.${units.padStart(7, '0')}`,
  });

type Left = { readonly transaction: string; readonly fee: string; readonly parts: string[] };

/** Everything recorded, each part as `units code destination`. */
async function left(): Promise<Left[]> {
  assert.deepEqual((await world.observe()).map(String), []);
  return world.app.db.query<Left>(sql`
    select d.transaction, d.fee_units::text as fee, coalesce(array_agg(p.units || ' ' ||
      split_part(p.asset_id, ':', 1) || ' ' || p.destination order by p.number)
      filter (where p.number is not null), '{}') as parts
    from departure d left join departure_part p on p.departure_id = d.id
    group by d.id order by d.id`);
}

const hash = Buffer.alloc(32, 0xab);
for (const [name, memo, destination] of [
  ['no memo', undefined, to],
  ['a text', Memo.text('Grüße: 7'), `${to}:text:Grüße: 7`],
  ['a text of odd bytes', Memo.text(Buffer.from([0, 255]) as never), `${to}:text-bytes:00ff`],
  ['an id', Memo.id('7'), `${to}:id:7`],
  ['a hash', Memo.hash(hash.toString('hex')), `${to}:hash:${'ab'.repeat(32)}`],
  ['a return hash', Memo.return(hash.toString('hex')), `${to}:return:${'ab'.repeat(32)}`],
] as const) {
  test(`a payment with ${name} leaves to its receiver, and its fee with it`, async () => {
    const transaction = send([pay('30')], memo === undefined ? {} : { memo });
    const parts = [`30 XLM ${destination}`];
    assert.deepEqual(await left(), [{ transaction, fee: '100', parts }]);
  });
}

test('a muxed receiver is the one with that id, and with a memo beside it another', async () => {
  send([pay('30', muxed(to, '7'))]);
  send([pay('30', muxed(to, '7'))], { memo: Memo.id('7') });
  const parts = (await left()).flatMap((one) => one.parts);
  assert.deepEqual(parts, [`30 XLM ${to}:id:7`, `30 XLM ${to}:id:7:id:7`]);
});

test('payments of one transaction are its parts, one for each', async () => {
  const transaction = send([pay('30'), pay('40', to, USDC), pay('50')], { memo: Memo.id('7') });
  const parts = [`30 XLM ${to}:id:7`, `40 USDC ${to}:id:7`, `50 XLM ${to}:id:7`];
  assert.deepEqual(await left(), [{ transaction, fee: '300', parts }]);
});

test('a new account and a balance to be claimed have a receiver', async () => {
  const fresh = seededKey(41).publicKey();
  const claimable = (claimants: Claimant[]) =>
    Operation.createClaimableBalance({ asset: assetOf(USDC), amount: '0.0000020', claimants });
  const never = Claimant.predicateNot(Claimant.predicateUnconditional());
  send([
    Operation.createAccount({ destination: fresh, startingBalance: '1' }),
    claimable([new Claimant(to), new Claimant(world.account, never)]),
    claimable([new Claimant(to, never)]),
    claimable([new Claimant(to), new Claimant(fresh)]),
  ]);
  assert.deepEqual((await left())[0]?.parts, [
    `10000000 XLM ${fresh}`,
    `20 USDC ${to}`,
    '20 USDC create_claimable_balance',
    '20 USDC create_claimable_balance',
  ]);
});

test('what is swapped on its way, traded or taken back by its issuer names its type', async () => {
  const issuer = seededKey(11);
  world.stellar.addAccount(issuer);
  const ends = { sendAsset: assetOf(XLM), destAsset: assetOf(USDC) };
  const path = { ...ends, sendAmount: '0.0000050', destMin: '0.0000005' };
  const selling = { selling: assetOf(XLM), buying: assetOf(USDC) };
  send([Operation.pathPaymentStrictSend({ ...path, destination: to })]);
  send([Operation.manageSellOffer({ ...selling, amount: '0.0000060', price: '0.5' })]);
  const clawback = { asset: assetOf(USDC), from: world.account, amount: '0.0000070' };
  send([Operation.clawback(clawback)], { from: issuer });
  assert.deepEqual(
    (await left()).map(({ fee, parts }) => [fee, ...parts]),
    [
      ['100', '50 XLM path_payment_strict_send'],
      ['100', '60 XLM manage_sell_offer'],
      ['0', '70 USDC clawback'],
    ],
  );
});

test('what is paid to ourselves does not leave, and a swap to ourselves names its type', async () => {
  const ends = { sendAsset: assetOf(XLM), destAsset: assetOf(USDC), destination: world.account };
  send([pay('30', world.account)]);
  send([
    Operation.pathPaymentStrictSend({ ...ends, sendAmount: '0.0000050', destMin: '0.0000005' }),
  ]);
  const parts = (await left()).map((one) => one.parts);
  assert.deepEqual(parts, [[], ['50 XLM path_payment_strict_send']]);
});

test('a failed transaction, and one of somebody else whose fee we paid, cost it', async () => {
  const failed = send([pay('30')], { fails: true });
  const bumped = send([pay('30')], { from: world.customer, bumpedBy: ours });
  assert.deepEqual(await left(), [
    { transaction: failed, fee: '100', parts: [] },
    { transaction: bumped, fee: '200', parts: [] },
  ]);
});

test('fees are found too when more ledgers wait than a step reads', async () => {
  const failed = send([pay('30')], { fails: true });
  for (let ledger = 0; ledger < 250; ledger += 1) world.stellar.close();
  const sent = send([pay('30')]);
  assert.deepEqual(await left(), [
    { transaction: failed, fee: '100', parts: [] },
    { transaction: sent, fee: '100', parts: [`30 XLM ${to}`] },
  ]);
});

/** In every answer of both Horizons that lists transactions. */
function tamperCharges(change: (record: Record<string, unknown>) => object): void {
  const tamper: StellarWorld['horizon']['tamper'] = ({ path }, json) => {
    if (!path.endsWith('/transactions')) return json;
    const page = json as { _embedded: { records: Record<string, unknown>[] } };
    const records = page._embedded.records.map((record) => ({ ...record, ...change(record) }));
    return { _embedded: { records } };
  };
  for (const one of [world.horizon, world.second]) if (one !== undefined) one.tamper = tamper;
}

for (const [name, change, sentence] of [
  ['of another amount', () => ({ fee_charged: '99' }), /has another fee than its result/],
  ['paid by nobody', () => ({ fee_account: to }), /the account holds/],
  ['of another transaction', () => ({ hash: 'ab'.repeat(32) }), /another hash than its envelope/],
  ['of another ledger', () => ({ ledger: 7 }), /is of another ledger/],
] as const) {
  test(`a fee ${name} is a lie`, async () => {
    send([pay('30')]);
    tamperCharges(change);
    assert.match((await world.observe()).map((one) => `${one} ${one.cause}`).join(), sentence);
    tamperCharges(() => ({}));
    assert.equal((await left()).length, 1);
  });
}

test('what the second Horizon does not show has not left', async () => {
  send([pay('30')]);
  const last = world.stellar.ledgers.at(-1)?.transactions[0]?.operations[0];
  assert(last !== undefined);
  world.second?.hidden.add(last.id);
  const [failure] = await world.observe();
  assert.match(`${failure?.cause}`, /only one of two has/);
  world.second?.hidden.clear();
  assert.equal((await left()).length, 1);
});

test('a payment of ours that is hidden among the payments is a lie', async () => {
  send([pay('30')]);
  world.horizon.tamper = ({ path }, json) => {
    if (!path.endsWith('/payments')) return json;
    return { _embedded: { records: [] } };
  };
  const [failure] = await world.observe();
  assert.match(`${failure?.cause}`, /missing among the payments/);
});
