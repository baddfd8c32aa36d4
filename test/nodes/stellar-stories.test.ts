// The main job on Stellar, through the HTTP API only: our server is a process of its own, the customer
// a wallet that signs with the official library. After every story the books agree with the account.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import {
  Account,
  Asset,
  Memo,
  Networks,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base';
import { openFreighterPage } from '#test/browser/freighter-page.ts';
import { assetOf } from '#test/fakes/stellar-ledger.ts';
import { muxed, seededKey, USDC } from '#test/fakes/stellar-world.ts';
import { walletMessages } from '#test/fixtures/wallet-messages.ts';
import { byLength } from '#test/support/run-length.ts';
import { storyTeller } from '#test/support/story-teller.ts';
import { type Paying, payManyAtOnce, tellPaymentStories } from './payment-stories.ts';
import { openStellarShop, type StellarShop, XLM } from './stellar-shop.ts';

/** More than are read, settled or told of together. */
const MANY = byLength({ short: 30, long: 100 });

let shop: StellarShop;
before(async () => {
  shop = await openStellarShop();
});
after(() => shop?.close());

const story = storyTeller(() => shop);
const lumens: Paying = {
  assetId: XLM,
  decimals: 7,
  open: (amount) => shop.open(amount),
  pay: (committed, amount) => shop.pay(committed, amount),
  checkInstructions({ address, memo }) {
    assert.equal(address, shop.account);
    assert.match(String(memo), /^\d{7,19}$/);
  },
};

tellPaymentStories(story, () => shop, lumens);

story('an issued asset is paid by id memo, and lumens by a muxed account', async () => {
  const issued = await shop.open('7.25', USDC);
  shop.pay(issued, '7.25', { memo: Memo.id(String(issued.depositInstructions.memo)) });
  const native = await shop.open('3');
  const to = muxed(shop.account, String(native.depositInstructions.memo));
  shop.send([Operation.payment({ destination: to, asset: Asset.native(), amount: '3' })], {});
  for (const { checkoutId } of [issued, native]) {
    await shop.client.waitForState(checkoutId, 'COMPLETED');
    await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
  }
});

story('a path payment, a fee bump and an account merge count with what arrived', async () => {
  const { customer, stellar, account } = shop;
  const swapped = await shop.open('8', USDC);
  const path = Operation.pathPaymentStrictSend({
    sendAsset: Asset.native(),
    sendAmount: '90',
    destination: account,
    destAsset: new Asset('USDC', USDC.split(':')[1]),
    destMin: '7',
  });
  const memo = Memo.text(String(swapped.depositInstructions.memo));
  shop.send([path], { memo, arrives: 80_000_000n });
  const bumped = await shop.open('2');
  const hash = shop.pay(bumped, '2', { bumpedBy: customer });
  const merged = await shop.open('5');
  stellar.addAccount(seededKey(30), 50_000_100n);
  shop.send([Operation.accountMerge({ destination: account })], {
    from: seededKey(30),
    memo: Memo.text(String(merged.depositInstructions.memo)),
  });
  for (const { checkoutId } of [swapped, bumped, merged]) {
    await shop.client.waitForState(checkoutId, 'COMPLETED');
  }
  const { blockchainTransactions } = await shop.client.findCheckout(bumped.checkoutId);
  assert.deepEqual(
    blockchainTransactions.map(({ tx }) => tx),
    [hash],
  );
});

story(`${MANY} checkouts paid in one ledger are all completed, credited and told`, () =>
  payManyAtOnce(shop, lumens, MANY, (opened) => {
    for (const { depositInstructions } of opened) {
      const payment = { destination: shop.account, asset: Asset.native(), amount: '1' };
      const memo = Memo.text(String(depositInstructions.memo));
      shop.stellar.send([Operation.payment(payment)], { from: shop.customer, memo });
    }
    shop.stellar.close();
    shop.horizon().announce();
  }),
);

/** The page of a checkout with the extension Freighter, which signs with this key. */
async function openWithFreighter(amount: string, assetId: string, key = shop.customer) {
  const committed = await shop.open(amount, assetId);
  const { hostedCheckoutUrl } = await shop.client.findCheckout(committed.checkoutId);
  const url = hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, shop.server.origin);
  const opened = await openFreighterPage(url, key, Networks.TESTNET);
  return { ...opened, ...committed, url };
}

const sentOf = (account: string) =>
  shop.stellar.ledgers
    .flatMap(({ transactions }) => transactions)
    .filter(({ record }) => record.source_account === account).length;

story('Freighter pays by one click what our node puts together, exactly that', async () => {
  const { page, context, faults, asked, says, checkoutId, depositInstructions } =
    await openWithFreighter('7.25', USDC);
  assert.equal(await page.textContent('#wallets button'), 'Pay with Freighter');
  const types = () => [...new Set(asked.map(({ type }) => type))];
  assert.deepEqual(types(), ['REQUEST_CONNECTION_STATUS'], 'it is asked nothing before a click');
  await says(/^Sent\. /);
  const checkout = await shop.client.waitForState(checkoutId, 'COMPLETED');
  assert.equal(checkout.blockchainTransactions[0]?.amount, '7.25');
  const transactionXdr = asked.find((one) => one.transactionXdr)?.transactionXdr ?? '';
  const sent = asked.map((message) => JSON.stringify({ ...message, messageId: 0 }));
  const wanted = walletMessages('freighter', {
    transactionXdr,
    networkPassphrase: Networks.TESTNET,
    accountToSign: shop.customer.publicKey(),
  });
  assert.deepEqual([...new Set(sent)], wanted, 'asked as its own library asks it');
  const built = TransactionBuilder.fromXDR(transactionXdr, Networks.TESTNET) as Transaction;
  const { address: destination, memo } = depositInstructions;
  const amount = '7.2500000';
  const operation = { type: 'payment', asset: assetOf(USDC), amount, destination };
  assert.deepEqual(built.operations, [operation]);
  assert.equal(String(built.memo.value), memo);
  assert.equal(built.signatures.length, 0);
  const leftMs = Number(built.timeBounds?.maxTime) * 1000 - Date.now();
  assert(leftMs > 0 && leftMs <= 30 * 60_000, `it lands within ${leftMs} ms`);
  assert.deepEqual(faults, []);
  await context.close();
});

story('what Freighter cannot pay is told before it is asked to sign', async () => {
  const { context, asked, says, freighter } = await openWithFreighter('5', USDC);
  const signs = () => asked.filter(({ type }) => type === 'SUBMIT_TRANSACTION').length;
  freighter.refuses = ['REQUEST_ACCESS'];
  await says(/^You said no in your wallet\. Nothing was sent\.$/);
  freighter.refuses = [];
  freighter.networkPassphrase = Networks.PUBLIC;
  await says(/another network\. Change it to the Stellar network/);
  freighter.networkPassphrase = Networks.TESTNET;
  freighter.key = seededKey(71);
  await says(/^The account G\w{3}…\w{4} holds 0 USDC, and 5 USDC are needed\./);
  shop.stellar.addAccount(seededKey(71), 100_0000000n);
  await says(/holds 0 USDC, and 5 USDC are needed/);
  freighter.key = seededKey(72);
  shop.stellar.addAccount(seededKey(72), 1_0000050n);
  await says(/^The account G\w{3}…\w{4} holds 0\.000005 XLM, and 0\.00001 XLM are needed\./);
  assert.equal(signs(), 0);
  freighter.key = shop.customer;
  freighter.refuses = ['SUBMIT_TRANSACTION'];
  await says(/^You said no in your wallet\. Nothing was sent\.$/);
  assert.equal(signs(), 1);
  await context.close();
});

story('nothing but what was put together here goes through our node', async () => {
  const { context, says, freighter, url } = await openWithFreighter('4', XLM);
  const payer = shop.customer;
  const before = sentOf(payer.publicKey());
  const changed = (signed: string) => {
    const { source, sequence } = TransactionBuilder.fromXDR(
      signed,
      Networks.TESTNET,
    ) as Transaction;
    const other = new TransactionBuilder(new Account(source, `${BigInt(sequence) - 1n}`), {
      fee: '100',
      networkPassphrase: Networks.TESTNET,
    })
      .addOperation(
        Operation.payment({ destination: shop.account, asset: Asset.native(), amount: '1' }),
      )
      .setTimeout(60)
      .build();
    other.sign(payer);
    return other.toEnvelope().toXDR('base64');
  };
  freighter.tamper = changed;
  await says(/^Your wallet could not do that\./);
  const [address = ''] = url.split('?');
  const post = (fields: Record<string, string>) =>
    fetch(`${address}/wallet?network=STELLAR&asset=XLM%3ANATIVE`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
  const drafted = await post({ account: payer.publicKey() });
  const { unsigned, proof } = (await drafted.json()) as { unsigned: string; proof: string };
  const signed = TransactionBuilder.fromXDR(unsigned, Networks.TESTNET);
  signed.sign(payer);
  const envelope = signed.toEnvelope().toXDR('base64');
  const other = await shop.client.findCheckout((await shop.open('4')).checkoutId);
  const elsewhere = new URL(other.hostedCheckoutUrl).pathname;
  const attempts: readonly [Promise<Response>, number][] = [
    [post({ signed: unsigned, proof }), 400],
    [post({ signed: envelope, proof: '' }), 409],
    [post({ signed: envelope, proof: proof.slice(1) }), 409],
    [post({ signed: changed(envelope), proof }), 409],
    [post({ signed: 'AAAA', proof }), 400],
    [post({ signed: 'A'.repeat(9_000), proof }), 400],
    [post({ account: 'G'.repeat(56) }), 400],
    [post({ account: shop.account }), 400],
    [
      fetch(`${shop.server.origin}${elsewhere}/wallet`, {
        method: 'POST',
        body: new URLSearchParams({ signed: envelope, proof }),
      }),
      409,
    ],
  ];
  for (const [answer, status] of attempts) assert.equal((await answer).status, status);
  assert.equal(sentOf(payer.publicKey()), before, 'nothing was sent');
  const many = await Promise.all(Array.from({ length: 12 }, () => post({ account: '' })));
  assert(many.some(({ status }) => status === 429));
  await context.close();
});
