// Money that a person sends from the account on Stellar, seen through Horizon.
import { after, before } from 'node:test';
import { type Keypair, Memo, Operation } from '@stellar/stellar-base';
import { custodyBalance } from '#ledger/balance.ts';
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
    received: () => held() - atFirst,
  };
}

tellByHandStories(() => shop, {
  code: 'XLM',
  receiver: receiver.publicKey(),
  memo: '4711',
  account: { account: receiver.publicKey(), memo: '4711', memoType: 'text' },
  link:
    `web+stellar:pay?destination=${receiver.publicKey()}&amount=2&memo=4711&memo_type=MEMO_TEXT` +
    '&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015',
  custody: ({ server }) => custodyBalance(server.db, 'live:STELLAR', XLM),
  feeUnits: 100n,
});
