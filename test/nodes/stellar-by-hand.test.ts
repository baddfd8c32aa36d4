// Money that a person sends from the account on Stellar, seen through Horizon.
// In a long run alone: xrpl-by-hand.test.ts tells the same of a network whose ledgers are final at once.
import { after, before } from 'node:test';
import {
  Account,
  type Keypair,
  Memo,
  Networks,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base';
import { custodyBalance } from '#ledger/account.ts';
import { assetOf, unitsText } from '#test/fakes/stellar-ledger.ts';
import { seededKey, USDC } from '#test/fakes/stellar-world.ts';
import { type HandShop, tellByHandStories } from './by-hand-stories.ts';
import { openStellarShop, type StellarShop, XLM } from './stellar-shop.ts';

const receiver = seededKey(40);
let shop: StellarShop & HandShop;

before(async () => {
  shop = asHandShop(await openStellarShop());
  shop.stellar.addAccount(receiver);
});
after(() => shop?.close());

function asHandShop(opened: StellarShop): StellarShop & HandShop {
  const { stellar, account, send } = opened;
  const held = () => stellar.accounts.get(account)?.lines.get(XLM)?.units ?? 0n;
  const from = stellar.accounts.get(account)?.key as Keypair;
  const atFirst = held();
  const pay = (amount: string) =>
    Operation.payment({ destination: receiver.publicKey(), asset: assetOf(XLM), amount });
  return {
    ...opened,
    sendOut: ({ amount, memo }) => send([pay(amount)], { from, memo: Memo.text(memo) }),
    sendOddly() {
      const selling = { selling: assetOf(XLM), buying: assetOf(USDC) };
      send([Operation.manageSellOffer({ ...selling, amount: '1.5', price: '0.1' })], { from });
      return { amount: '1.5 XLM', type: 'manage_sell_offer' };
    },
    fail: () => send([pay(unitsText(10_000_000n))], { from, fails: true }),
    sign: ({ text }) => signed(drafted(text)),
    forge({ text }) {
      const asked = drafted(text);
      const [stranger, memo] = [seededKey(41), Memo.text('999')];
      return [
        [
          signed(changed(asked, { memo })),
          /the memo is the text "999"; ordered is the text "4711"/,
        ],
        [signed(changed(asked, { amount: '2.0000001' })), /amount of the operation is 2.0000001/],
        [signed(changed(asked, { to: stranger.publicKey() })), /destination of the operation is G/],
        [signed(changed(asked, { fee: '1000000' })), /the fee in stroops is 1000000/],
        [signed(changed(asked, { networkPassphrase: Networks.PUBLIC })), /none of the account/],
        [signed(drafted(text), stranger), /a signature that is none of the account/],
      ];
    },
    received: () => held() - atFirst,
  };

  function drafted(text: string): Transaction {
    return TransactionBuilder.fromXDR(text, stellar.passphrase) as Transaction;
  }

  function signed(transaction: Transaction, key = from): string {
    transaction.sign(key);
    return transaction.toEnvelope().toXDR('base64');
  }
}

type Changes = {
  readonly memo?: Memo;
  readonly amount?: string;
  readonly to?: string;
  readonly fee?: string;
  readonly networkPassphrase?: string;
};

/** Put together by somebody who was told something else. */
function changed(asked: Transaction, changes: Changes): Transaction {
  const { amount = '2', to: destination = receiver.publicKey() } = changes;
  const account = new Account(asked.source, `${BigInt(asked.sequence) - 1n}`);
  return new TransactionBuilder(account, {
    fee: changes.fee ?? asked.fee,
    networkPassphrase: changes.networkPassphrase ?? asked.networkPassphrase,
    memo: changes.memo ?? asked.memo,
    timebounds: { minTime: 0, maxTime: asked.timeBounds?.maxTime ?? '' },
  })
    .addOperation(Operation.payment({ destination, asset: assetOf(XLM), amount }))
    .build();
}

tellByHandStories(() => shop, {
  code: 'XLM',
  receiver: receiver.publicKey(),
  memo: '4711',
  account: { account: receiver.publicKey(), memo: '4711', memoType: 'text' },
  link:
    `web+stellar:pay?destination=${receiver.publicKey()}&amount=2&memo=4711&memo_type=MEMO_TEXT` +
    '&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015',
  draftLink: 'web+stellar:tx?xdr=',
  custody: ({ server }) => custodyBalance(server.db, 'live:STELLAR', XLM),
  feeUnits: 100n,
});
