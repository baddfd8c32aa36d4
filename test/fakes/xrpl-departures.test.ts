// What leaves the account on the XRP Ledger, as it is recorded, and what a server that lies about it
// is worth.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from '#db/db.ts';
import { seededXrplKey } from './xrpl-ledger.ts';
import { openXrplWorld, type XrplWorld } from './xrpl-world.ts';

let world: XrplWorld;
const to = seededXrplKey(40).address;

beforeEach(async () => {
  world = await openXrplWorld({ withSecond: true });
  world.xrpl.addAccount(seededXrplKey(40));
  world.xrpl.close();
  assert.deepEqual(await world.observe(), []);
});
afterEach(() => world?.close());

const send = (more: object = {}) =>
  world.pay({ from: world.key, to, drops: 50n, tag: 7n, fee: 10n, ...more });

type Left = { readonly transaction: string; readonly fee: string; readonly parts: string[] };

async function left(): Promise<Left[]> {
  return world.app.db.query<Left>(sql`
    select d.transaction, d.fee_units::text as fee, coalesce(array_agg(p.units || ' ' ||
      p.destination) filter (where p.number is not null), '{}') as parts
    from departure d left join departure_part p on p.departure_id = d.id
    group by d.id order by d.id`);
}

test('payments leave to their receivers with their tags, each with its fee', async () => {
  const [first, second] = [send(), send({ tag: undefined })];
  const failed = send({ result: 'tecUNFUNDED_PAYMENT' });
  assert.deepEqual((await world.observe()).map(String), []);
  assert.deepEqual(await left(), [
    { transaction: first, fee: '10', parts: [`50 ${to}:7`] },
    { transaction: second, fee: '10', parts: [`50 ${to}`] },
    { transaction: failed, fee: '10', parts: [] },
  ]);
  assert.deepEqual(await world.brokenInvariants(), []);
});

test('a partial payment left with what was delivered', async () => {
  const fields = { Flags: 0x0002_0000, Amount: '999999' };
  const moves = { [world.account]: -50n, [to]: 50n };
  send({ fields, moves, stated: '50', delivered: '50' });
  assert.deepEqual((await world.observe()).map(String), []);
  assert.deepEqual(
    (await left()).map(({ parts }) => parts),
    [[`50 ${to}:7`]],
  );
});

test('a sending that the server hides moves nothing', async () => {
  const transaction = send();
  for (const one of [world.server, world.second]) {
    if (one === undefined) continue;
    one.tamper = ({ command }, result) =>
      command === 'account_tx' ? { ...result, transactions: [] } : result;
  }
  assert.match(
    (await world.observe()).map((one) => `${one.cause}`).join(),
    /its history says|before/,
  );
  assert.deepEqual(await left(), []);
  for (const one of [world.server, world.second]) {
    if (one !== undefined) one.tamper = (_, result) => result;
  }
  assert.deepEqual((await world.observe()).map(String), []);
  assert.deepEqual(await left(), [{ transaction, fee: '10', parts: [`50 ${to}:7`] }]);
});
