import type { Clock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { AccountValidator, ReceivingAccount } from '#people/account-fields.ts';

type LightningTarget = {
  readonly chain: ChainId;
  /** As somebody typed it. */
  readonly text: string;
  /** What it has to be for, where it is an invoice. */
  readonly units: bigint;
};

type Read = { readonly account: ReceivingAccount } | { readonly fault: string };

const LIGHTNING_ADDRESS = /^[a-z0-9._+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/i;
/** It is paid at once, or by a person who needs some time. */
const LEFT_LEAST = { minutes: 10 };

/**
 * Where money goes over Lightning: a Lightning address (LUD-16), an LNURL (LUD-01), or an invoice
 * (BOLT 11) for exactly this amount that can still be paid. A wallet may write `lightning:` before.
 */
export function readLightningAccount(
  { accounts, clock }: { readonly accounts: AccountValidator; readonly clock: Clock },
  { chain, text, units }: LightningTarget,
): Read {
  const plain = text.trim().replace(/^lightning:/i, '');
  if (LIGHTNING_ADDRESS.test(plain)) return { account: { lightningAddress: plain } };
  const lnurl = accounts.lnurl(plain);
  if (lnurl !== undefined) return { account: { lnurl } };
  const invoice = accounts.invoice(chain, plain);
  if (invoice === undefined) {
    return {
      fault:
        'address: is neither a lightning address (name@example.com) nor an LNURL nor an invoice ' +
        '(BOLT 11) of this network with a right checksum',
    };
  }
  if (invoice.units !== units) {
    const asked = invoice.units === undefined ? 'no whole amount' : `${invoice.units} sat`;
    return { fault: `address: the invoice is for ${asked}: make one for exactly ${units} sat` };
  }
  const least = clock.now().add(LEFT_LEAST);
  if (Temporal.Instant.compare(invoice.expiresAt, least) < 0) {
    return { fault: 'address: the invoice ends too soon: make one that lasts an hour or longer' };
  }
  return { account: { invoice: invoice.invoice } };
}
