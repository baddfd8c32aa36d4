// Money that a person sends from the account on the XRP Ledger, seen in the thread of its entry.
import { after, before } from 'node:test';
import { encode, encodeForSigning } from 'ripple-binary-codec';
import { sign } from 'ripple-keypairs';
import { custodyBalance } from '#ledger/account.ts';
import { seededXrplKey } from '#test/fakes/xrpl-ledger.ts';
import { XRP } from '#test/fakes/xrpl-world.ts';
import { type HandDraft, type HandShop, tellByHandStories } from './by-hand-stories.ts';
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
    sign: ({ json }) => signed(json),
    forge({ json }) {
      const stranger = seededXrplKey(41);
      return [
        [signed({ ...json, DestinationTag: 999 }), /DestinationTag is 999; ordered is 4711/],
        [signed({ ...json, Amount: '2000001' }), /Amount is 2000001 drops; ordered is 2000000/],
        [signed({ ...json, Destination: stranger.address }), /Destination is r.*; ordered is r/],
        [signed({ ...json, Fee: '20000' }), /Fee is 20000 drops; ordered are at most 10/],
        [signed({ ...json, NetworkID: 21_337 }), /NetworkID is 21337; ordered is none/],
        [signed(json, stranger), /signed by the key of r.*, which is none of the account/],
      ];
    },
    received: () => held() - atFirst,
  };
}

function signed(json: HandDraft['json'], by = key): string {
  const transaction = { ...json, SigningPubKey: by.publicKey };
  const TxnSignature = sign(encodeForSigning(transaction as never), by.privateKey);
  return encode({ ...transaction, TxnSignature } as never);
}

tellByHandStories(() => shop, {
  code: 'XRP',
  receiver,
  memo: '4711',
  account: { account: receiver, destinationTag: '4711' },
  link: `ripple:${receiver}?to=${receiver}&dt=4711&amount=2`,
  draftLink: `ripple:${receiver}?to=${receiver}&dt=4711&amount=2`,
  custody: ({ server }) => custodyBalance(server.db, 'live:XRP_LEDGER', XRP),
  feeUnits: 10n,
});
