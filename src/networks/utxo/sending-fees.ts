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
import { type FeeRateLimits, readFeeRate } from './read-fee-rate.ts';
import { feeFor, type RelayPolicy, relayPolicy } from './relay-policy.ts';
import { type Coin, selectCoins } from './select-coins.ts';
import {
  type InputKind,
  NO_INPUTS,
  transactionWeight,
  virtualSize,
  withInput,
} from './transaction-size.ts';
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

// What the transaction would cost that a payment is drafted as: a pure function of the coins that
// are there now. Guarantees: nothing that spends the same coins with the same rate costs more, but
// for change that is too small to come back. Not guaranteed: that these coins are spent when the
// time comes.
type PaymentCost = {
  readonly coins: readonly Coin[];
  /** Of addresses of ours: what is spent that is not watched is taken to be alike. */
  readonly kind: InputKind;
  readonly units: bigint;
  /** Units for 1,000 virtual bytes. */
  readonly feeRate: bigint;
  readonly policy: RelayPolicy;
};

/** As long as any standard one (P2TR, P2WSH), which receivers may have. */
const LONGEST_SCRIPT = Uint8Array.of(0x51, 0x20, ...new Uint8Array(32));

export function paymentFee({ coins, kind, units, feeRate, policy }: PaymentCost): bigint {
  const payments = [{ script: LONGEST_SCRIPT, units }];
  const order = { coins, payments, changeScript: LONGEST_SCRIPT, feeRate, policy };
  const chosen = selectCoins(order);
  if (!('refused' in chosen)) {
    const { inputs, feeUnits } = chosen;
    // Paying a little less may leave change where this leaves none.
    const withChange = feeOf(
      inputs.map((coin) => coin.kind),
      feeRate,
    );
    return feeUnits > withChange ? feeUnits : withChange;
  }
  if (chosen.refused === 'too-large') return feeFor(chosen.virtualSize, feeRate);
  // The coins that are watched do not pay it: somebody sends it out of another wallet.
  return feeOf([kind, kind], feeRate);
}

/** One payment and change. */
function feeOf(kinds: readonly InputKind[], feeRate: bigint): bigint {
  const inputs = kinds.reduce(withInput, NO_INPUTS);
  const outputs = [LONGEST_SCRIPT.length, LONGEST_SCRIPT.length];
  return feeFor(virtualSize(transactionWeight(inputs, outputs)), feeRate);
}
