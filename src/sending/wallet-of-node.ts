// A node's wallet as somebody who signs. It signs whatever it has the keys of, so the service holds
// it to caps that the operator set, by what it has stored as signed. Whoever owns the service gets
// around them: the signer process is the stronger way (docs/operate/who-signs.md).
import type { Clock } from '#base/clock.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Db } from '#db/db.ts';
import type { NodeWallet } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { readAskedOrder } from './asked-order.ts';
import { listSignedQuestions } from './attempt.ts';
import { decideCaps } from './decide-caps.ts';
import type { SigningPort } from './signing-port.ts';

type WalletApp = { readonly db: Db; readonly clock: Clock };

export function walletOfNode(
  { db, clock }: WalletApp,
  chain: ChainId,
  { sign, check, caps, setting }: NodeWallet,
): SigningPort {
  const { decimals, assetCode } = getAsset(getNetwork(networkOf(chain)).defaultAssetId);
  const amount = (units: bigint) => `${amountToText(units, decimals)} ${assetCode}`;
  return {
    async sign(order) {
      const since = clock.now().subtract({ hours: 24 });
      const signed = (await listSignedQuestions(db, chain, since)).map(readAskedOrder);
      const exceeded = decideCaps(order, signed, caps);
      if (exceeded !== undefined) {
        const inDay = exceeded.cap === 'day';
        const most = amount(inDay ? caps.perDayUnits : caps.perTransactionUnits);
        const name = `${setting}_PER_${inDay ? 'DAY' : 'TRANSACTION'}`;
        const leaves = `${amount(exceeded.units)} would leave ${inDay ? 'in 24 hours' : 'at once'}`;
        const reason = `above the cap of the wallet: ${leaves}, and ${name} is ${most}`;
        return { outcome: 'NOT_NOW', reason };
      }
      const answer = await sign(order.unsigned);
      return 'signed' in answer
        ? { outcome: 'SIGNED', signedTransaction: answer.signed }
        : { outcome: 'NOT_NOW', reason: answer.refused };
    },
    async check() {
      const atOnce = amount(caps.perTransactionUnits);
      return `${await check()}: at most ${atOnce} at once, ${amount(caps.perDayUnits)} a day`;
    },
  };
}
