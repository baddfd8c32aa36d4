// A payment is taken back while a file of orders for a bank is drafted or released: what leaves here
// has no refund of it.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { draftBankFile, releaseBankFile } from '#custody/draft-bank-file.ts';
import type { Watcher } from '#deposit/network.ts';
import { parseDecimal } from '#money/decimal.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { createRefund } from '#refund/create-refund.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { PAYER_ADDRESS, payCheckout, sender } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';

// A chain whose blocks can be undone, with files as a bank has them.
const LITECOIN = chainOf('test', 'LITECOIN');

let world: TestApp;
let app: Parameters<typeof draftBankFile>[0] & Parameters<typeof runTransfers>[0];
/** So many looks at what the second refund rests on, then its payment is taken back. */
let looksLeft: number | undefined;
let [standing, lost]: string[] = [];

beforeEach(async () => {
  world = await openTestApp({ connections: 10 });
  await world.observe('LITECOIN');
  looksLeft = undefined;
  const byHand = {
    chain: LITECOIN,
    networkFeeUnits: () => 0n,
    instruct: () => ({ link: undefined }),
    destinationOf: () => undefined,
  };
  const orderFile: NonNullable<Watcher['orderFile']> = ({ payments }) =>
    payments.map(({ transferId }) => transferId).join(' ');
  const real = sender(world);
  app = {
    ...real,
    executors: new Map([[LITECOIN, byHand]]),
    networks: new Map([[LITECOIN, { orderFile }]]),
    twoPeopleAbove: parseDecimal('0.000001'),
    refunds: {
      ...real.refunds,
      async hold(tx, transfer) {
        if (transfer.id === lost && looksLeft === 0) await takeBack();
        if (transfer.id === lost && looksLeft !== undefined) looksLeft -= 1;
        return real.refunds.hold(tx, transfer);
      },
    },
  };
  await payCheckout(world, await world.create());
  standing = await refund();
  lost = await refund();
  await runTransfers(app);
});
afterEach(async () => {
  looksLeft = undefined;
  const now = world.clock.now();
  const said = { actor: 'anna', reason: 'not sent', isNotSent: true };
  for (const id of [standing, lost]) await cancelSending(app, id ?? '', said);
  const broken = await checkInvariants(world.app.db, { now, settled: true, settleApp: world.app });
  await world.close();
  assert.deepEqual(broken, []);
});

/** Of a checkout that is paid now; gives the id of its transfer. */
async function refund(): Promise<string> {
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const nothing = { amount: undefined, network: undefined, asset: undefined };
  const wish = { ...nothing, kind: 'full' as const, checkoutId, address: PAYER_ADDRESS };
  const executors = app.executors;
  const made = await createRefund({ ...world.app, executors }, world.caller, wish);
  return made.transferId ?? '';
}

/** The payment that came last: another transaction spends it. */
async function takeBack(): Promise<void> {
  await reorgChain(world.app, { chain: LITECOIN, depth: 4, transactions: 'double-spend' });
  await mineBlocks(world.app, LITECOIN, 4);
  await world.observe('LITECOIN');
  await world.settle();
}

const ids = () => [standing ?? '', lost ?? ''];
const draft = (actor = 'ada') => draftBankFile(app, ids(), { actor, isAgain: false });
const isVoid = (error: unknown) =>
  error instanceof Refusal &&
  error.code === 'transfer_void' &&
  error.details.join().includes(lost ?? '');

for (const looks of [0, 1]) {
  test(`a file is not released once a payment was taken back: after ${looks} looks`, async () => {
    const { file, text } = await draft();
    assert.equal(text, undefined);
    looksLeft = looks;
    await assert.rejects(releaseBankFile(app, file.messageId, 'grace'), isVoid);
    looksLeft = undefined;
    // What stands goes out in a file of its own.
    const again = await draftBankFile(app, [standing ?? ''], { actor: 'ada', isAgain: false });
    assert.equal((await releaseBankFile(app, again.file.messageId, 'grace')).text, standing);
  });

  test(`nor one that one person may release: after ${looks} looks`, async () => {
    app = { ...app, twoPeopleAbove: undefined };
    looksLeft = looks;
    await assert.rejects(draft(), isVoid);
  });
}

/** While the network has not decided, and after it has. */
const NOT_SENT =
  /the payment that is refunded is not certain now|the network took back the payment/;

test('taken back at the same time as released: a file is one or the other, and never half', async () => {
  const { file } = await draft();
  const [released] = await Promise.allSettled([
    releaseBankFile(app, file.messageId, 'grace'),
    takeBack(),
  ]);
  // A checkout that the release has locked is left to the next step of the loop.
  await world.settle();
  if (released.status === 'rejected') assert.match(String(released.reason), NOT_SENT);
  else assert.equal(released.value.text?.split(' ').length, 2);
  await assert.rejects(releaseBankFile(app, file.messageId, 'grace'), NOT_SENT, 'nor once more');
});
