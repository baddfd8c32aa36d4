// What sending costs on a network, as its nodes said last. Guarantees: who asks is answered at
// once, out of memory; what was said counts for a while and never longer, and where nothing counts
// that is what is told, with the reason; nothing is made up. Not guaranteed: that it costs the same
// when it is sent.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import type { NetworkFee, SendingFees, UnspentOutput } from '#deposit/money-out.ts';

type KeepFeesOptions<Fees> = {
  readonly chain: ChainId;
  readonly clock: Clock;
  readonly log: Log;
  /** @throws Refusal when sending is too dear now, or the operator has to set something. */
  readonly read: (listUnspent: () => Promise<readonly UnspentOutput[]>) => Promise<Fees>;
  /**
   * Pure. Undefined: of this asset it is not known.
   * @throws Refusal unavailable `network_fee_unknown`: of this asset, with the reason.
   */
  readonly feeOf: (fees: Fees, assetId: string, units: bigint) => NetworkFee | undefined;
};

/** A node may be restarted meanwhile. */
const KNOWN_FOR_MS = 15 * 60_000;

type Known<Fees> = { readonly fees: Fees; readonly saidMs: number };

export function keepFees<Fees>(options: KeepFeesOptions<Fees>): SendingFees {
  const { chain, clock, log, read, feeOf } = options;
  let known: Known<Fees> | undefined;
  let fault = 'no node has been asked yet';
  let reading: Promise<void> | undefined;

  async function readOnce(listUnspent: Parameters<typeof read>[0]): Promise<void> {
    try {
      known = { fees: await read(listUnspent), saidMs: clock.monotonicMs() };
      fault = '';
    } catch (error) {
      const isAnswer = error instanceof Refusal && !(error instanceof Outage);
      // What was known before is no longer so, where somebody says that it costs too much now.
      if (isAnswer) known = undefined;
      const said = isAnswer ? error.details.join('; ') : String((error as Error).message);
      if (said !== fault) log.warn('what sending costs is not known', { chain, reason: said });
      fault = said;
    }
  }

  return {
    read(listUnspent) {
      reading ??= readOnce(listUnspent).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    most(assetId, units) {
      const isKnown = known !== undefined && clock.monotonicMs() - known.saidMs <= KNOWN_FOR_MS;
      if (known !== undefined && isKnown) return feeOf(known.fees, assetId, units);
      throw new Refusal('unavailable', 'network_fee_unknown', [
        `what ${networkOf(chain)} takes for a payment is not known now (${fault}): nothing was ` +
          'moved, try again in a minute',
      ]);
    },
  };
}
