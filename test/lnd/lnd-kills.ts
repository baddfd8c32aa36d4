// Refunds over Lightning, each with a death at a place between reserve and book: of the service, of the
// node that pays, or of both. Whatever dies, each invoice is paid once, and nothing else is.
import assert from 'node:assert/strict';
import process from 'node:process';
import { sql } from '#db/db.ts';
import { readInvoice } from '#networks/read-invoice.ts';
import { createTrap, type Failpoint, type Trap, type Victim } from '#test/kills/trap.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import type { Shop } from '#test/support/shop.ts';
import { type LndNode, waitUntil } from './lnd-node.ts';

const STEPS: readonly (readonly [string, RegExp])[] = [
  ['reserve', /insert into transfer\b/],
  ['hand over', /update transfer set state = 'TO_SEND', by_hand/],
  ['invoice stored', /insert into invoice_payment\b/],
  ['paid', /update invoice_payment set preimage/],
  ['booked', /update transfer set state = \$\d+, failure/],
];
const VICTIMS: readonly (readonly Victim[])[] = [['service'], ['node'], ['service', 'node']];

/** The node dies less often: it takes as long to come back as all the rest. */
const isDrawn = (victims: readonly Victim[], round: number) =>
  victims.includes('node') ? round % 3 === 0 : true;

/** Every place in turn. */
function placeOf(round: number): Failpoint {
  const [name, about] = STEPS[round % STEPS.length] ?? ['', /^$/];
  const turn = Math.floor(round / STEPS.length);
  const at = turn % 2 === 0 ? 'statement' : 'committed';
  const drawn = VICTIMS[Math.floor(turn / 2) % VICTIMS.length] ?? ['service'];
  const victims = isDrawn(drawn, round) ? drawn : (['service'] as const);
  const moment = at === 'statement' ? 'not written' : 'committed';
  return { name: `${name}: ${moment}, ${victims.join(' and ')}`, at, about, victims };
}

export type LndKillWorld = {
  readonly server: ServerProcess;
  readonly shop: Shop;
  readonly trap: Trap;
  readonly payer: LndNode;
  readonly payee: LndNode;
  /** Resolves when it serves again. */
  startServer(): Promise<void>;
  waitForChannel(): Promise<void>;
};

export function createLndTrap(server: () => ServerProcess, payee: () => LndNode): Trap {
  return createTrap(async ({ victims }) => {
    if (victims.includes('node')) await payee().kill9();
    if (victims.includes('service')) await server().kill9();
  });
}

const UNITS = 10_000n;

/** `checkoutId`: paid with enough for all of them. */
export async function killWhilePaying(
  world: LndKillWorld,
  { checkoutId, payments }: { readonly checkoutId: string; readonly payments: number },
): Promise<void> {
  const startedMs = performance.now();
  const before = await listPaid(world.payee);
  const invoices: string[] = [];
  const reached = new Map<string, number>();
  for (let round = 0; round < payments; round += 1) {
    const place = placeOf(round);
    const made = await world.payer.rest('POST', '/v1/invoices', {
      ...{ value: String(UNITS), memo: 'refund', expiry: '3600' },
    });
    const invoice = String(made.payment_request);
    invoices.push(invoice);
    await payWithDeath(world, place, { checkoutId, invoice, key: `kill-${round}` });
    reached.set(place.name, (reached.get(place.name) ?? 0) + 1);
    tell(round + 1, payments, startedMs);
  }
  for (const invoice of invoices) {
    const hash = readInvoice(invoice)?.paymentHash;
    const { state, amt_paid_sat: paid } = await world.payer.rest('GET', `/v1/invoice/${hash}`);
    assert.deepEqual([state, paid], ['SETTLED', String(UNITS)]);
  }
  // The node keeps what it paid by hash: one line for each, and none beside.
  const hashes = invoices.map((invoice) => readInvoice(invoice)?.paymentHash ?? '');
  const paid = (await listPaid(world.payee)).filter((hash) => !before.includes(hash));
  assert.deepEqual(paid.toSorted(), hashes.toSorted());
  for (const [name, count] of [...reached].toSorted()) console.log(`${count}  ${name}`);
}

type Wish = { readonly checkoutId: string; readonly invoice: string; readonly key: string };

async function payWithDeath(world: LndKillWorld, place: Failpoint, wish: Wish): Promise<void> {
  const { trap, payee, server } = world;
  const death = trap.set(place);
  const returned = death.then(async () => {
    if (place.victims.includes('node')) await payee.start();
    if (place.victims.includes('service')) await world.startServer();
    if (!place.victims.includes('node')) return;
    await payee.waitUntilActive();
    await world.waitForChannel();
  });
  const refundId = await askForRefund(world, wish);
  await returned;
  await waitUntil(`a refund to be booked after ${place.name}`, async () => {
    const [refund] = await server.db.query<{ state: string }>(
      sql`select state from refund where id = ${refundId}`,
    );
    assert.equal(refund?.state, 'COMPLETED');
  });
}

/** As a merchant does whose request was not answered: the same once more, under the same key. */
async function askForRefund(
  { shop }: LndKillWorld,
  { checkoutId, invoice: address, key: idempotencyKey }: Wish,
): Promise<string> {
  const body = { checkoutId, kind: 'amount', amount: String(UNITS), address };
  let id = '';
  await waitUntil('the refund to be taken', async () => {
    const answer = await shop.client.call('POST', '/refund', { body, idempotencyKey });
    assert.equal(answer.status, 200, answer.text);
    ({ id } = (answer.json as { refund: { id: string } }).refund);
  });
  return id;
}

async function listPaid(payee: LndNode): Promise<string[]> {
  const { payments } = await payee.rest('GET', '/v1/payments?max_payments=10000');
  return (payments as { payment_hash: string }[]).map((one) => one.payment_hash);
}

function tell(done: number, payments: number, startedMs: number): void {
  if (done % 10 !== 0) return;
  const elapsed = (performance.now() - startedMs) / 1000;
  const left = Math.round((elapsed / done) * (payments - done));
  process.stdout.write(
    `${done} of ${payments} payments, ${Math.round(elapsed)} s, ${left} s to go\n`,
  );
}
