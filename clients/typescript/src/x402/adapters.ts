// Routes that are paid for, in the servers that people use: over Request and Response of fetch, in
// Hono and in Express. No framework is imported: what is needed of each is said as a type here.
import { bytesOf } from '../web-crypto.ts';
import type { Price, X402, X402Payment } from './gate.ts';

const SIGNATURE = 'payment-signature';
/** What is paid for is nobody else's: no cache may hand it on. */
const PRIVATE = 'private';

type FetchHandler = (request: Request, payment: X402Payment) => Response | Promise<Response>;

/** For Deno, Bun, edge runtimes and routes of Next.js. */
export function paidFetch(x402: X402, price: Price, handler: FetchHandler) {
  return async (request: Request): Promise<Response> => {
    const { method, url, headers } = request;
    const body = new Uint8Array(await request.clone().arrayBuffer());
    const signature = headers.get(SIGNATURE) ?? undefined;
    const admission = await x402.admit({ method, url, signature, body }, price);
    if ('refused' in admission) return responseOf(admission.refused);
    const answer = await handler(request, admission.payment);
    const response = new Response(answer.body, answer);
    for (const [name, value] of Object.entries(admission.headers))
      response.headers.set(name, value);
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', PRIVATE);
    return response;
  };
}

function responseOf(refused: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}): Response {
  const headers = { ...refused.headers, 'content-type': 'application/json' };
  return new Response(JSON.stringify(refused.body), { status: refused.status, headers });
}

/** What is used of the context of Hono. */
type HonoContext = {
  readonly req: {
    readonly method: string;
    readonly url: string;
    header(name: string): string | undefined;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  readonly res: Response;
  // A method, so that a context with variables of its own fits.
  set(name: string, value: unknown): void;
  header(name: string, value: string): void;
};

/** Middleware of Hono. The handler finds the payment as `c.get('payment')`. */
export function paidHono(x402: X402, price: Price) {
  return async (context: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const { method, url } = context.req;
    const body = new Uint8Array(await context.req.arrayBuffer());
    const signature = context.req.header(SIGNATURE);
    const admission = await x402.admit({ method, url, signature, body }, price);
    if ('refused' in admission) return responseOf(admission.refused);
    context.set('payment', admission.payment);
    await next();
    for (const [name, value] of Object.entries(admission.headers)) context.header(name, value);
    if (!context.res.headers.has('cache-control')) context.header('cache-control', PRIVATE);
    return undefined;
  };
}

/** What is used of the request of Express. */
type ExpressRequest = {
  readonly method: string;
  readonly protocol: string;
  readonly originalUrl: string;
  /** As a parser left it. */
  readonly body?: unknown;
  get(name: string): string | undefined;
};
type ExpressResponse = {
  readonly locals: Record<string, unknown>;
  status(code: number): ExpressResponse;
  set(name: string, value: string): unknown;
  json(body: object): unknown;
};

/**
 * Middleware of Express, behind the parser of bodies. The handler finds the payment as
 * `res.locals.payment`.
 */
export function paidExpress(x402: X402, price: Price) {
  return async (
    request: ExpressRequest,
    response: ExpressResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    const { method, protocol, originalUrl } = request;
    const url = `${protocol}://${request.get('host') ?? 'localhost'}${originalUrl}`;
    const signature = request.get(SIGNATURE);
    try {
      const asked = { method, url, signature, body: parsedBytes(request.body) };
      const admission = await x402.admit(asked, price);
      const { headers } = 'refused' in admission ? admission.refused : admission;
      if ('payment' in admission) response.set('cache-control', PRIVATE);
      for (const [name, value] of Object.entries(headers)) response.set(name, value);
      if ('refused' in admission) {
        response.status(admission.refused.status).json(admission.refused.body);
        return;
      }
      response.locals.payment = admission.payment;
    } catch (error) {
      next(error);
      return;
    }
    next();
  };
}

/** The same for the same body, whatever parser read it. */
function parsedBytes(body: unknown): Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return bytesOf(body);
  return bytesOf(body === undefined ? '' : JSON.stringify(body));
}
