// Whoever runs the installation lets go what the brake of a network holds: he is shown what that is,
// says why, and exactly that goes on, twice as deep. What is worse, or comes later, is held again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { findHeldPayments, releaseBrake } from '#brake/release-brake.ts';
import { chainOf } from '#catalog/chain.ts';
import { DASHBOARD_LANGUAGES } from '#catalog/language.ts';
import { sql } from '#db/db.ts';
import type { BrakeCause, Position } from '#deposit/network.ts';
import { listMails } from '#mail/mail.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { requestSettlement } from '#settle/queue.ts';
import { invite } from '#staff/invitation.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';

const CHAIN = chainOf('test', 'LITECOIN');
const PATH = '/dashboard/operator/networks/test/LITECOIN';
const slow = (degree: number): BrakeCause => ({
  kind: 'slow-blocks',
  what: 'blocks',
  degree,
  reason: `blocks take ${degree} times as <b>long</b>`,
});
const COMPETING: BrakeCause = {
  kind: 'competing-branch',
  what: '7',
  degree: 2,
  reason: 'another branch of 2 blocks',
};

let world: DashboardWorld;
let operator: DashboardBrowser;
let causes: readonly BrakeCause[] = [];
before(async () => {
  world = await openDashboardWorld({ hasMail: true });
  operator = await comeToOperate('otis');
  await comeToOperate('olga');
  await look();
});
after(() => world.close());

async function comeToOperate(name: string): Promise<DashboardBrowser> {
  const asked = { email: `${name}@house.example`, name, isOperator: true, membership: undefined };
  const { token } = await invite(world.app, 'tester', asked);
  const browser = world.open();
  const path = `/dashboard/invitation/${token}`;
  await browser.get(path);
  await browser.submit(path, { name, password: PASSWORD, way: 'password' });
  return browser;
}

/** Two confirmations are enough, ten LTC are large, and what the node says is `causes`. */
async function look(said = causes): Promise<void> {
  const { app } = world;
  const adapter = app.networks.get(CHAIN);
  assert.ok(adapter !== undefined);
  const observe = async (position: Position) => ({
    ...(await adapter.observe(position)),
    brake: said,
  });
  const policy = {
    ...app.policy,
    requiredConfirmations: () => 2,
    isHeldByBrake: (_: string, amounts: readonly { readonly units: bigint }[]) =>
      amounts.reduce((sum, { units }) => sum + units, 0n) >= 1_000_000_000n,
  };
  const watched = { ...app, policy, onAffected: requestSettlement, onRecorded: () => undefined };
  const watch = networkWatch(watched, { ...adapter, observe });
  while (await watch.step());
  await world.settle();
}

async function mine(blocks: number): Promise<void> {
  await mineBlocks(world.app, CHAIN, blocks);
  await world.clock.advance(1_000);
  await look();
}

/** Paid, and as many blocks mined. Far enough from all before that its sum is its own. */
async function payLarge(blocks: number): Promise<string> {
  const charge = {
    billingCurrency: 'EUR',
    lineItems: [{ description: 'A printing press', netAmount: '20000.00' }],
  };
  const id = await world.create({ charge });
  const { sandbox } = world.app;
  const paid = { checkoutId: id, network: 'LITECOIN', asset: undefined, amount: undefined };
  await sandbox?.pay(world.caller, { ...paid, parts: 1 });
  await mine(blocks);
  return id;
}

type Seen = { readonly status: string; readonly isHeld: boolean };

async function receiptOf(checkoutId: string): Promise<string> {
  const [row] = await world.app.db.query<Seen>(sql`
    select status, held_at is not null as "isHeld" from receipt where purpose_id = ${checkoutId}`);
  return `${row?.status}${row?.isHeld === true ? ' held' : ''}`;
}

const codeIn = (markup: string) => /name="code" value="(\w+)"/.exec(markup)?.[1] ?? '';
const released = () => listActs(world.app.db, { verb: 'chain-release' }, 20);

/** Nothing is held and nothing wrong any more. */
async function calm(): Promise<void> {
  causes = [];
  await mine(6);
}

test('what is let go is shown first: which payments, of whom, how much, and why they are held', async () => {
  causes = [slow(3)];
  const id = await payLarge(2);
  assert.equal(await receiptOf(id), 'INCLUDED held');
  const networks = await operator.get('/dashboard/operator/networks');
  assert.match(networks.markup, new RegExp(`href="${PATH}"`));
  const { markup } = await operator.get(PATH);
  assert.match(markup, /blocks take 3 times as &lt;b&gt;long/);
  assert.match(markup, /Large payments held: 1/);
  assert.match(markup, /<strong>[\d.]+\u00a0LTC<\/strong>/);
  assert.match(markup, /Test shop/);
  assert.ok(markup.includes(world.caller.merchantId));
  assert.ok(markup.includes(id), 'for which checkout');
  assert.match(markup, /Confirmations: 2, needed: 4/);
  for (const { languageCode } of DASHBOARD_LANGUAGES) {
    operator.setCookie('quittance-language', languageCode);
    assert.equal((await operator.get(PATH)).status, 200);
  }
  operator.setCookie('quittance-language', 'en');
  await calm();
});

test('with a reason and a recent proof exactly what was shown goes on, twice as deep, and all operators hear of it', async () => {
  causes = [slow(3)];
  const id = await payLarge(2);
  await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
  await look();
  const code = codeIn((await operator.get(PATH)).markup);
  const asked = await operator.submit(PATH, { code, reason: 'two pools are down' });
  assert.equal(asked.location, `/dashboard/proof?to=${encodeURIComponent(PATH)}`);
  await operator.get(asked.location ?? '');
  await operator.submit('/dashboard/proof', { password: PASSWORD, to: PATH });
  assert.deepEqual(await released(), [], 'nothing before he proved who he is');
  await operator.get(PATH);
  const silent = await operator.submit(PATH, { code, reason: ' \n ' });
  assert.equal(silent.status, 400);
  assert.match(silent.markup, /Say why/);

  await operator.get(PATH);
  const done = await operator.submit(PATH, { code, reason: 'two pools\nare down' });
  assert.equal(done.location, `${PATH}?released=1`);
  assert.match((await operator.get(done.location ?? '')).markup, /Payments let go: 1\./);
  const again = await operator.post(PATH, {
    code,
    reason: 'two pools are down',
    form: /name="form" value="([^"]+)"/.exec((await operator.get(PATH)).markup)?.[1] ?? '',
  });
  assert.equal(again.status, 409, 'the same form a second time');
  const [act, ...more] = await released();
  assert.deepEqual(more, []);
  assert.match(act?.actor ?? '', /^person /);
  assert.equal(act?.subject, `chain:${CHAIN}`);
  const details = JSON.parse(act?.details ?? '{}');
  assert.equal(details.reason, 'two pools are down');
  assert.equal(details.brake, slow(3).reason);
  assert.match(details.amounts, /^\d+ LTC:NATIVE$/);
  const mails = await listMails(world.app.db, { state: undefined, most: 9 });
  assert.deepEqual(
    mails
      .filter(({ kind }) => kind === 'BRAKE_RELEASED')
      .map(({ receiver }) => receiver)
      .sort(),
    ['olga@house.example', 'otis@house.example'],
  );

  await look();
  assert.equal(await receiptOf(id), 'INCLUDED', 'not held, and not deep enough');
  await mine(1);
  assert.equal(await receiptOf(id), 'INCLUDED', 'one short of twice as deep');
  await mine(1);
  assert.equal(await receiptOf(id), 'FINAL');
  assert.equal((await world.read(id)).state, 'COMPLETED');
  const later = await payLarge(8);
  assert.equal(await receiptOf(later), 'INCLUDED held', 'what came afterwards was not let go');
  await calm();
});

test('what was let go is held again when it gets worse, or something else goes wrong', async () => {
  const { app } = world;
  const said = { actor: 'anna', chain: CHAIN, reason: 'known', language: 'en' } as const;
  for (const worse of [[slow(4)], [slow(3), COMPETING], [{ ...slow(3), what: 'other' }]]) {
    causes = [slow(3)];
    const id = await payLarge(2);
    const code = (await findHeldPayments(app, CHAIN))?.code ?? '';
    assert.equal(await releaseBrake(app, { ...said, code }), 1);
    await look();
    assert.equal(await receiptOf(id), 'INCLUDED');
    causes = worse;
    await mine(8);
    assert.equal(await receiptOf(id), 'INCLUDED held');
    causes = [slow(2)];
    await look();
    assert.equal(await receiptOf(id), 'FINAL', 'less bad than what it was let go for');
    await calm();
  }
});

test('a reorganisation that puts it into another block holds it again', async () => {
  const { app } = world;
  causes = [slow(3)];
  const id = await payLarge(2);
  const code = (await findHeldPayments(app, CHAIN))?.code ?? '';
  await releaseBrake(app, { actor: 'anna', chain: CHAIN, code, reason: 'known', language: 'en' });
  await reorgChain(app, { chain: CHAIN, depth: 2, transactions: 'remine' });
  await mine(8);
  assert.equal(await receiptOf(id), 'INCLUDED held');
  await calm();
});

test('a branch that competes, a network not heard, and what was not shown are not let go', async () => {
  const { app, clock } = world;
  causes = [slow(3), COMPETING];
  const id = await payLarge(2);
  const { markup } = await operator.get(PATH);
  assert.match(markup, /id="stays"[\s\S]*another branch of 2 blocks: which blocks stand/);
  assert.doesNotMatch(markup, /name="code"/);
  const code = (await findHeldPayments(app, CHAIN))?.code ?? '';
  const release = (given: string) =>
    releaseBrake(app, { actor: 'anna', chain: CHAIN, code: given, reason: 'why', language: 'en' });
  const refusedFor = (name: string) => (error: unknown) =>
    error instanceof Refusal && error.code === name;
  await assert.rejects(release(code), refusedFor('brake_stays'));
  causes = [slow(3)];
  await look();
  await assert.rejects(release(code), refusedFor('brake_changed'));
  await clock.advance(61_000);
  const now = (await findHeldPayments(app, CHAIN))?.code ?? '';
  await assert.rejects(release(now), refusedFor('brake_unheard'));
  await look();
  await calm();
  assert.equal(await receiptOf(id), 'FINAL');
  await assert.rejects(release(now), refusedFor('brake_off'));
  const unknown = await operator.get('/dashboard/operator/networks/test/NOWHERE');
  assert.equal(unknown.status, 404);
});

test('a release beside a look that finds it worse either comes too late or counts for nothing', async () => {
  const { app } = world;
  const outcomes: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    causes = [slow(3)];
    const id = await payLarge(2);
    const code = (await findHeldPayments(app, CHAIN))?.code ?? '';
    causes = [slow(4)];
    const release = () =>
      releaseBrake(app, { actor: 'anna', chain: CHAIN, code, reason: 'known', language: 'en' });
    const both = round % 2 === 0 ? [release(), look()] : [look(), release()];
    const [first, second] = await Promise.allSettled(both);
    const outcome = round % 2 === 0 ? first : second;
    if (outcome?.status === 'rejected') assert.equal(outcome.reason.code, 'brake_changed');
    outcomes.push(outcome?.status ?? '');
    await mine(8);
    assert.equal(await receiptOf(id), 'INCLUDED held');
    await calm();
  }
  assert.equal(outcomes.length, 6);
});

test('what was let go stays written, and no other role finds the room', async () => {
  const { app } = world;
  await assert.rejects(
    app.db.single((tx) => tx.query(sql`update released_payment set causes = '[]'`)),
  );
  await assert.rejects(app.db.single((tx) => tx.query(sql`delete from released_payment`)));
  const owner = await world.comeAs('OWNER');
  assert.equal((await owner.get(PATH)).status, 404);
});
