// What the transaction would cost that a payment is drafted as: a pure function of the coins that
// are there now. Guarantees: nothing that spends the same coins with the same rate costs more, but
// for change that is too small to come back. Not guaranteed: that these coins are spent when the
// time comes.
import { feeFor, type RelayPolicy } from './relay-policy.ts';
import { type Coin, selectCoins } from './select-coins.ts';
import {
  type InputKind,
  NO_INPUTS,
  transactionWeight,
  virtualSize,
  withInput,
} from './transaction-size.ts';

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
