// A small installation in which everything has happened once: paid on every simulated network, in
// parts, too much, late, not at all; refunds, transfers, swaps, customers, receivers, rules; and what
// is under way when its data are taken. Through the API and the command line alone, as any shop.
import assert from 'node:assert/strict';
import { sql } from '#db/db.ts';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import type { MerchantKey } from '#test/support/merchant-client.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { type Shop, waitUntil } from '#test/support/shop.ts';

/** What was true when the data were taken. */
export type BusyFacts = {
  readonly key: MerchantKey;
  readonly merchantId: string;
  /** What nobody changes any more, by id. */
  readonly ended: Readonly<Record<string, 'COMPLETED' | 'CANCELLED' | 'EXPIRED'>>;
  /** Ended by hand before its time. */
  readonly endedByHand: readonly string[];
  /** Committed on Litecoin and not paid; paid there and in no block. */
  readonly open: string;
  readonly pending: string;
  /** A refund that its payer has not claimed. */
  readonly unclaimed: string;
  readonly customer: string;
  /** Smallest units by asset, as text. */
  readonly balances: Readonly<Record<string, string>>;
};

const PAYER = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';
const EUROS = { currency: 'EUR', amount: '23' };
const BALANCES = ['BTC:NATIVE', 'LTC:NATIVE', 'XLM:NATIVE', 'ETH:NATIVE'];

type Made<Name extends string> = Readonly<Record<Name, { readonly id: string }>>;

export async function makeBusy(server: ServerProcess, shop: Shop): Promise<BusyFacts> {
  await holdBlocks(server.db);
  const { client } = shop;
  const allow = ['allow-list', 'add', '127.0.0.1', '--for', 'withdrawals', '--by', 'ann'];
  await command(server, ...allow, '--environment', 'test');
  const customer = await makeCustomer(shop);
  const paid = await payOnAll(shop);
  const { refunded, unclaimed } = await refund(shop);
  const { cancelled, expired } = await endUnpaid(shop);
  await receiveDeposit(shop);
  await moveOut(shop);
  const open = (await shop.open(EUROS, 'LITECOIN')).checkoutId;
  const pending = (await shop.open(EUROS, 'LITECOIN')).checkoutId;
  await client.post('/sandbox/pay', { checkoutId: pending });
  await client.waitForState(pending, 'PENDING');
  await waitUntil('all to be told', async () => {
    const waiting = sql`select 1 from webhook_delivery where state = 'PENDING' limit 1`;
    return (await server.db.query(waiting)).length === 0;
  });
  await shop.checkBooks();
  const ended = [...paid, refunded].map((id) => [id, 'COMPLETED'] as const);
  const balances = await Promise.all(
    BALANCES.map(async (asset) => [asset, `${await shop.balance(asset)}`] as const),
  );
  return {
    ...{
      key: shop.key,
      merchantId: shop.merchantId,
      open,
      pending,
      unclaimed,
      customer,
      endedByHand: [expired],
    },
    ended: { ...Object.fromEntries(ended), [cancelled]: 'CANCELLED', [expired]: 'EXPIRED' },
    balances: Object.fromEntries(balances),
  };
}

async function command(server: ServerProcess, ...words: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await server.command(...words);
  assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
}

async function makeCustomer({ client }: Shop): Promise<string> {
  const customer = { email: 'ada@shop.example', firstname: 'Ada', lastname: 'Lovelace' };
  return (await client.post<{ customerId: string }>('/customer', { customer })).customerId;
}

async function pay({ client }: Shop, checkoutId: string, network: string, more: object = {}) {
  await client.post('/sandbox/pay', { checkoutId, ...more });
  await client.waitFor(checkoutId, ({ blockchainTransactions: seen }) => seen.length > 0);
  if (network !== 'LIGHTNING') await client.post('/sandbox/mine', { network, blocks: 4 });
}

/** Exactly, in two parts, too much, and converted into another asset. */
async function payOnAll(shop: Shop): Promise<string[]> {
  const { client } = shop;
  const ids: string[] = [];
  const networks = [
    ['BITCOIN', 'BTC:NATIVE'],
    ['LITECOIN', 'LTC:NATIVE'],
    ['ETHEREUM', 'ETH:NATIVE'],
    ['STELLAR', 'XLM:NATIVE'],
    ['LIGHTNING', undefined],
  ] as const;
  for (const [network, asset] of networks) {
    const { checkoutId } = await shop.open(EUROS, network, asset);
    await pay(shop, checkoutId, network);
    ids.push(checkoutId);
  }
  const parts = (await shop.open(EUROS, 'LITECOIN')).checkoutId;
  await pay(shop, parts, 'LITECOIN', { amount: '0.2' });
  await client.waitForState(parts, 'UNDERPAID');
  await pay(shop, parts, 'LITECOIN');
  const over = (await shop.open(EUROS, 'LITECOIN')).checkoutId;
  await pay(shop, over, 'LITECOIN', { amount: '0.3' });
  const converted = await shop.create(EUROS, { settlementAsset: 'LTC:NATIVE' });
  await client.commit(converted, 'BITCOIN');
  await pay(shop, converted, 'BITCOIN');
  ids.push(parts, over, converted);
  for (const id of ids) await client.waitForState(id, 'COMPLETED');
  return ids;
}

async function refund(shop: Shop): Promise<{ refunded: string; unclaimed: string }> {
  const { client } = shop;
  const { checkoutId: refunded } = await shop.open(EUROS, 'LITECOIN');
  await pay(shop, refunded, 'LITECOIN');
  await client.waitForState(refunded, 'COMPLETED');
  const part = { checkoutId: refunded, kind: 'amount', amount: '0.01', address: PAYER };
  const made = await client.post<Made<'refund'>>('/refund', part);
  await mineUntil(shop, `/refund`, made.refund.id, 'refund');
  const whole = { checkoutId: refunded, kind: 'amount', amount: '0.02' };
  const claimed = await client.post<Made<'refund'>>('/refund', whole);
  return { refunded, unclaimed: claimed.refund.id };
}

async function mineUntil(
  { client }: Shop,
  path: string,
  id: string,
  name: 'refund' | 'transfer',
): Promise<void> {
  await waitUntil(`the ${name} to land`, async () => {
    await client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 1 });
    const found = await client.get<Record<string, { state: string }>>(path, { id });
    return found[name]?.state === 'COMPLETED';
  });
}

async function endUnpaid(shop: Shop): Promise<{ cancelled: string; expired: string }> {
  const { client } = shop;
  const cancelled = await shop.create(EUROS);
  await client.post('/checkout/cancel', { checkoutId: cancelled });
  const { checkoutId: expired } = await shop.open(EUROS, 'STELLAR', 'XLM:NATIVE');
  shop.noteExpired(expired);
  await client.post('/sandbox/expire', { checkoutId: expired });
  await client.waitForState(expired, 'EXPIRED');
  return { cancelled, expired };
}

async function receiveDeposit({ client }: Shop): Promise<void> {
  const body = { network: 'STELLAR', asset: 'XLM:NATIVE', label: 'till 1' };
  const made = await client.post<Made<'depositAddress'>>('/deposit-address', body);
  const depositAddressId = made.depositAddress.id;
  await client.post('/sandbox/pay', { depositAddressId, amount: '5' });
  await client.post('/sandbox/mine', { network: 'STELLAR', blocks: 2 });
  await waitUntil('the deposit to be told', async () => {
    const { events } = await client.get<{ events: readonly object[] }>('/events', {
      type: 'DEPOSIT_COMPLETED',
    });
    return events.length > 0;
  });
}

/** A swap, a transfer that has arrived, a rule that is paused, and who hears of it all. */
async function moveOut(shop: Shop): Promise<void> {
  const { client, receiver } = shop;
  const quote = { sourceAsset: 'BTC:NATIVE', targetAsset: 'LTC:NATIVE', sourceAmount: '0.0001' };
  const { swap } = await client.post<Made<'swap'>>('/swap', quote);
  await client.post('/swap/commit', { swapId: swap.id });
  const beneficiary = { label: 'Savings', network: 'LITECOIN', account: { address: PAYER } };
  await client.post('/beneficiary', { beneficiary });
  const { transfer } = await client.post<Made<'transfer'>>('/transfer', {
    ...{ network: 'LITECOIN', asset: null, amount: '0.05', targetAccount: 'Savings' },
  });
  await client.post('/transfer/commit', { transferId: transfer.id });
  await mineUntil(shop, '/transfer', transfer.id, 'transfer');
  const { settlementRule } = await client.post<Made<'settlementRule'>>('/settlement-rule', {
    ...{ asset: 'LTC:NATIVE', threshold: '100', network: 'LITECOIN', targetAccount: 'Savings' },
  });
  await client.post('/settlement-rule/pause', { settlementRuleId: settlementRule.id });
  const url = `${receiver.origin}/all`;
  await client.post('/webhook-endpoint', { url, eventTypes: ['CHECKOUT_CANCELLED'] });
  const { checkoutId } = await shop.open(EUROS, 'LITECOIN');
  await client.post('/checkout/cancel', { checkoutId });
}
