// Whether the gas of a payment is worth paying: held against what the payment brings, at the prices
// of now. Where nobody is asked for prices nothing can be judged, and the caps of the signer are
// what is left; where a price is missing for a while, the payer asks again.

import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import type { Authorizations, AuthorizedTransfer } from '#deposit/authorized-transfer.ts';
import { compare, decimalFromUnits, multiply } from '#money/decimal.ts';
import { arePricesAsked, type PriceFacts } from '#rates/exchange-rate.ts';
import { type RateBook, usdValue } from '#rates/rate-book.ts';

export type JudgeGasApp = PriceFacts & { readonly rates: RateBook; readonly clock: Clock };

type Payer = Pick<Authorizations, 'account' | 'gasPercentMost' | 'readFee'>;

/** Why we do not pay the gas now; undefined: we do, or it is not ours to pay. @throws Outage */
export async function findGasFault(
  app: JudgeGasApp,
  chain: ChainId,
  { account, gasPercentMost, readFee }: Payer,
  transfer: AuthorizedTransfer,
): Promise<'gas_not_available' | 'gas_too_dear' | undefined> {
  const environment = environmentOf(chain);
  if (account === undefined || gasPercentMost === 0 || !arePricesAsked(app, environment)) {
    return undefined;
  }
  const fee = await readFee(transfer);
  if (fee === undefined) return 'gas_not_available';
  const { assetId, units } = transfer;
  const [gas, amount] = [fee, { assetId, units }].map((one) =>
    usdValue(app.rates, environment, [one], app.clock.now()),
  );
  if (gas === undefined || amount === undefined) {
    throw new Outage('there is no price to hold the gas against the amount');
  }
  const allowed = multiply(amount, decimalFromUnits(BigInt(gasPercentMost), 2));
  return compare(gas, allowed) > 0 ? 'gas_too_dear' : undefined;
}
