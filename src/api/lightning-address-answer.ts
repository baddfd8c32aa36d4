// What wallets ask Lightning addresses (LUD-06, LUD-16): GET /.well-known/lnurlp/<id>, and the same
// with /callback?amount=<millisatoshi>. Guarantees: any web page may read the answers (wallets run
// in browsers), and only these; nobody is told more than an invoice needs; a caller and an address
// are asked so often and no more, so that invoices of nobody stay few. Errors have the shape of
// LUD-06, with the HTTP status beside it.

import { createRateLimits, type RateLimitSettings } from '#api/http/limits.ts';
import type { Clock } from '#base/clock.ts';
import { isId } from '#base/id.ts';
import type { Log } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { OpenAddressInvoiceApp } from '#deposit/open-deposit.ts';
import {
  type FindLightningAddressApp,
  findLightningAddress,
  LIGHTNING_ADDRESS_PATH,
  type LightningAddress,
  openLightningInvoice,
  payRange,
} from '#deposit-address/lightning-address.ts';

type LightningAddressApp = FindLightningAddressApp &
  OpenAddressInvoiceApp & { readonly clock: Clock; readonly log: Log };

/** In a minute: invoices of one address, questions from one client. */
const USUAL_LIMITS: RateLimitSettings = { perKey: 120, perAddress: 60 };
const MILLISATOSHIS = 1000n;
const CALLBACK = '/callback';
const AMOUNT = /^[1-9]\d{0,15}$/;

type Told = {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Answers whatever lies below LIGHTNING_ADDRESS_PATH. */
export function createLightningAddressAnswer(
  app: LightningAddressApp,
  settings: RateLimitSettings = USUAL_LIMITS,
): (request: Request, clientAddress: string) => Promise<Response> {
  const limits = createRateLimits(app.clock, settings);

  async function tell(request: Request, clientAddress: string): Promise<Told> {
    if (request.method !== 'GET') {
      return { ...fault(405, 'only GET is answered here'), headers: { allow: 'GET' } };
    }
    limits.takeAddress(clientAddress);
    const { pathname, searchParams } = new URL(request.url);
    const rest = pathname.slice(LIGHTNING_ADDRESS_PATH.length);
    const isCallback = rest.endsWith(CALLBACK);
    const id = isCallback ? rest.slice(0, -CALLBACK.length) : rest;
    const address = isId(id) ? await findLightningAddress(app, id) : undefined;
    if (address === undefined) return fault(404, 'there is no such Lightning address');
    if (!isCallback) return tellRequest(address);
    return tellInvoice(address, searchParams.getAll('amount'));
  }

  async function tellRequest(address: LightningAddress): Promise<Told> {
    const { least, most } = await payRange(address);
    if (most < least) return fault(503, 'nothing can be received at the moment');
    return told({
      tag: 'payRequest',
      callback: `${address.record.instruction.destination}${CALLBACK}`,
      minSendable: Number(least * MILLISATOSHIS),
      maxSendable: Number(most * MILLISATOSHIS),
      metadata: address.metadata,
      commentAllowed: 0,
    });
  }

  async function tellInvoice(address: LightningAddress, amounts: string[]): Promise<Told> {
    const [text = '', other] = amounts;
    if (other !== undefined || !AMOUNT.test(text)) {
      return fault(400, 'amount: must be a whole number of millisatoshi');
    }
    const amount = BigInt(text);
    // The ledger has no smaller unit: a rest would be lost to the payer.
    if (amount % MILLISATOSHIS !== 0n) {
      return fault(400, 'amount: must be whole satoshi, a multiple of 1000');
    }
    const { least, most } = await payRange(address);
    const units = amount / MILLISATOSHIS;
    if (units < least || units > most) {
      const range = `${least * MILLISATOSHIS} to ${most * MILLISATOSHIS}`;
      return fault(400, `amount: must be from ${range} millisatoshi at the moment`);
    }
    limits.takeKey(address.record.id);
    return told({ pr: await openLightningInvoice(app, address, units), routes: [] });
  }

  return async (request, clientAddress) => {
    try {
      return toResponse(await tell(request, clientAddress));
    } catch (error) {
      return toResponse(faultOf(error, app.log));
    }
  };
}

function told(body: object): Told {
  return { status: 200, body };
}

function fault(status: number, reason: string): Told {
  return { status, body: { status: 'ERROR', reason } };
}

/** The words of the node or the database are for the operator only. */
function faultOf(error: unknown, log: Log): Told {
  if (error instanceof Refusal && error.kind === 'too-many') {
    const seconds = String(error.retryAfterSeconds ?? 60);
    const answer = fault(429, `too many requests: ask again in ${seconds} seconds`);
    return { ...answer, headers: { 'retry-after': seconds } };
  }
  if (error instanceof Outage || error instanceof Refusal) {
    log.warn('a Lightning address could not be answered', { error });
    return fault(503, 'payments cannot be received at the moment: try again later');
  }
  log.error('a Lightning address could not be answered', { error });
  return fault(500, 'something went wrong here');
}

function toResponse({ status, body, headers = {} }: Told): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}
