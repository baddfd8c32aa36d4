// Money that a person sends from the account on the XRP Ledger, seen in the thread of its entry.
import { after, before } from 'node:test';
import { custodyBalance } from '#ledger/balance.ts';
import { seededXrplKey } from '#test/fakes/xrpl-ledger.ts';
import { XRP } from '#test/fakes/xrpl-world.ts';
import { type HandShop, tellByHandStories } from './by-hand-stories.ts';
import { openXrplShop, type XrplShop } from './xrpl-shop.ts';

const key = seededXrplKey(1);
const receiver = seededXrplKey(40).address;
let shop: XrplShop & HandShop;

before(async () => {
  shop = asHandShop(await openXrplShop());
  shop.xrpl.addAccount(seededXrplKey(40));
});
after(() => shop?.close());

function asHandShop(opened: XrplShop): XrplShop & HandShop {
  const { xrpl, account, rippled } = opened;
  const held = () => xrpl.roots.get(account)?.balance ?? 0n;
  const atFirst = held();
  const closed = (hash: string) => {
    xrpl.close();
    rippled().announce();
    return hash;
  };
  return {
    ...opened,
    sendOut: ({ amount, memo: tag }) =>
      closed(
        xrpl.pay({
          from: key,
          to: receiver,
          drops: BigInt(amount) * 1_000_000n,
          tag: BigInt(tag),
          fee: 10n,
        }),
      ),
    sendOddly() {
      const fields = { TransactionType: 'EscrowCreate', Amount: '1500000', Destination: receiver };
      closed(xrpl.send({ from: key, fields, moves: { [account]: -1_500_000n } }));
      return { amount: '1.5 XRP', type: 'EscrowCreate' };
    },
    fail: () =>
      closed(xrpl.pay({ from: key, to: receiver, drops: 5_000_000n, result: 'tecPATH_DRY' })),
    received: () => held() - atFirst,
  };
}

tellByHandStories(() => shop, {
  code: 'XRP',
  receiver,
  memo: '4711',
  account: { account: receiver, destinationTag: '4711' },
  link: `ripple:${receiver}?to=${receiver}&dt=4711&amount=2`,
  custody: ({ server }) => custodyBalance(server.db, 'live:XRP_LEDGER', XRP),
  feeUnits: 10n,
});
