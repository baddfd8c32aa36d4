// What a payment on a Bitcoin-like chain costs now, by the fee rate of the node and the coins that
// would be spent for it.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { SendingFees, UnspentOutput } from '#deposit/money-out.ts';
import { askForPerson, type Turns } from '#networks/ask-nodes.ts';
import { keepFees } from '#networks/keep-fees.ts';
import type { CoreRpc } from './json-rpc.ts';
import { coinKind } from './own-coins.ts';
import type { AddressSource } from './parse-address-source.ts';
import { paymentFee } from './payment-fee.ts';
import { type FeeRateLimits, readFeeRate } from './read-fee-rate.ts';
import { relayPolicy } from './relay-policy.ts';
import type { Coin } from './select-coins.ts';
import type { UtxoChain } from './utxo-chain.ts';

type UtxoFees = {
  readonly chain: ChainId;
  readonly parameters: UtxoChain;
  readonly source: Pick<AddressSource, 'script'>;
  readonly rates?: FeeRateLimits;
  readonly clock: Clock;
  readonly log: Log;
  readonly rpc: CoreRpc;
  readonly asked: Turns<CoreRpc>;
  /** @throws what is wrong with the node. */
  readonly checkNode: () => Promise<unknown>;
};

export function utxoFees(parts: UtxoFees): SendingFees {
  const { chain, parameters, source, rates, clock, log, rpc, asked, checkNode } = parts;
  const { assetId } = parameters;
  const kind = coinKind(source.script);
  const policy = relayPolicy(assetId);
  const coinOf = ({ creditKey, units, confirmations }: UnspentOutput): Coin => {
    const [transaction = '', vout = ''] = creditKey.split(':');
    return { transaction, vout: Number(vout), units, kind, confirmations };
  };
  return keepFees({
    chain,
    clock,
    log,
    async read(listUnspent) {
      const feeRate = await askForPerson(asked, async () => {
        await checkNode();
        return readFeeRate(rpc, parameters, rates);
      });
      return { feeRate, coins: (await listUnspent()).map(coinOf) };
    },
    feeOf: (fees, _, units) => ({ assetId, units: paymentFee({ ...fees, kind, units, policy }) }),
  });
}
