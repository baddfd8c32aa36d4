// The facilitator of x402 under /x402, as the public specification has it (version 2, chapter 7),
// so that middleware of others can ask it too: `GET /x402/supported`, `POST /x402/verify`, and one
// of our own, `GET /x402/requirements/{checkoutId}`. Guarantees: nobody needs a key, for whoever
// asks can change nothing; a caller asks so often and no more; a payment that is none is answered,
// not failed; of a bug nothing but the request id leaves.

import type { HttpBindings } from '@hono/node-server';
import { receivedRequest } from '#api/http/create-api.ts';
import { clientAddress, type RateLimits } from '#api/http/limits.ts';
import { readJson } from '#api/http/read-input.ts';
import { isId, newId } from '#base/id.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { readPayment } from '#x402/read-payment.ts';
import { type SettleX402App, settlePayment } from '#x402/settle-payment.ts';
import {
  listRequirements,
  listSigners,
  listSupported,
  verifyPayment,
} from '#x402/verify-payment.ts';

type AnswerX402App = SettleX402App & {
  readonly random: Random;
  readonly log: Log;
  readonly config: { readonly trustedProxies: readonly string[] };
};

type Told = { readonly status: number; readonly body: object };
type Asked = Awaited<ReturnType<typeof receivedRequest>>;

const PREFIX = '/x402/';
const REQUIREMENTS = 'requirements/';
/** A payment with everything that the specification lets stand beside it. */
const BODY_BYTES_MOST = 64 * 1024;

/** Undefined for what does not lie below /x402. `limits`: those of the API. */
export function createX402(app: AnswerX402App, limits: RateLimits) {
  return (
    request: Request,
    pathname: string,
    bindings: Partial<HttpBindings>,
  ): Promise<Response> | undefined => {
    if (!pathname.startsWith(PREFIX)) return undefined;
    return receivedRequest(request, bindings.incoming).then(async (asked) => {
      const headers: Record<string, string> = {};
      const requestId = newId(app.random);
      const told = await tell(app, limits, asked, pathname.slice(PREFIX.length), headers).catch(
        (error: unknown) => faultOf(app, error, requestId),
      );
      return new Response(JSON.stringify(told.body), {
        status: told.status,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'x-request-id': requestId,
        },
      });
    });
  };
}

async function tell(
  app: AnswerX402App,
  limits: RateLimits,
  asked: Asked,
  rest: string,
  headers: Record<string, string>,
): Promise<Told> {
  const forwardedFor = asked.headers.get('x-forwarded-for');
  const { trustedProxies } = app.config;
  const address = clientAddress(asked.remoteAddress, forwardedFor, trustedProxies);
  limits.takeAnonymous(address, headers);
  const what = `${asked.method} ${rest}`;
  if (what === 'GET supported') {
    asked.onRoute?.('/x402/supported');
    return told({ kinds: await listSupported(app), extensions: [], signers: listSigners(app) });
  }
  if (what === 'POST verify') {
    asked.onRoute?.('/x402/verify');
    return tellVerified(app, asked.body);
  }
  if (what === 'POST settle') {
    asked.onRoute?.('/x402/settle');
    return tellSettled(app, asked.body);
  }
  if (what.startsWith(`GET ${REQUIREMENTS}`)) {
    asked.onRoute?.('/x402/requirements/{checkoutId}');
    return tellRequirements(app, rest.slice(REQUIREMENTS.length));
  }
  throw new Refusal('missing', 'route_missing', `${asked.method} ${PREFIX}${rest} is not served`);
}

function told(body: object, status = 200): Told {
  return { status, body };
}

async function tellVerified(app: AnswerX402App, body: Uint8Array): Promise<Told> {
  const payment = readBody(body);
  if (typeof payment === 'string') return told({ isValid: false, invalidReason: payment }, 400);
  return told(await verifyPayment(app, payment));
}

async function tellSettled(app: AnswerX402App, body: Uint8Array): Promise<Told> {
  const payment = readBody(body);
  if (typeof payment !== 'string') return told(await settlePayment(app, payment));
  return told({ success: false, errorReason: payment, transaction: '', network: '' }, 400);
}

async function tellRequirements(app: AnswerX402App, checkoutId: string): Promise<Told> {
  const accepts = isId(checkoutId) ? await listRequirements(app, checkoutId) : undefined;
  if (accepts === undefined) throw new Refusal('missing', 'checkout_missing', 'no such checkout');
  if (accepts.length > 0) return told({ accepts });
  throw new Refusal('conflict', 'x402_not_possible', [
    'x402 needs a real EVM chain and a token with EIP-3009, to which this checkout is committed ' +
      'and whose time is not over',
  ]);
}

function readBody(body: Uint8Array): ReturnType<typeof readPayment> {
  if (body.length > BODY_BYTES_MOST) return 'invalid_payload';
  return readPayment(readJson(body));
}

function faultOf({ log }: AnswerX402App, error: unknown, requestId: string): Told {
  if (error instanceof Refusal) {
    const { code, details } = error;
    return told({ error: code, details }, STATUS_OF_REFUSAL[error.kind]);
  }
  if (error instanceof Outage) {
    const details = ['Something this request depends on is down: try again later.'];
    return told({ error: 'unavailable', details }, 503);
  }
  log.error('answered 500', { requestId, error });
  return told({ error: 'internal', details: [`Recorded under ${requestId}.`] }, 500);
}
