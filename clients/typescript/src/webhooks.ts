// Whether a webhook comes from the service. Two signatures: Standard Webhooks (`whsec_…`), which
// covers the time of the attempt, and X-Webhook-Auth (the API secret), which covers the body alone.
import { WebhookVerificationError } from './errors.ts';
import { parseExact } from './exact-json.ts';
import type { WebhookEvent } from './generated/types.ts';
import {
  bytesOf,
  concatenated,
  fromBase64,
  hex,
  hmacSha256,
  isEqual,
  sha256,
} from './web-crypto.ts';

/** As a server has them: `Headers` of fetch, or an object as of Node. Names in any letters. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How old a webhook may be, or how far ahead of our clock; 300 unless given. */
  readonly toleranceSeconds?: number | null;
  /** Unix seconds; the machine’s unless given. */
  readonly now?: () => number;
};

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const SECRET_BYTES_LEAST = 24;

/**
 * Gives the event when one of the secrets signed it.
 * `payload` is the body as it came: JSON that was parsed and written again is another text.
 * @throws WebhookVerificationError with the fault of the first secret.
 */
export async function verify<Event = WebhookEvent>(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event> {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const body = bytesOf(payload);
  let first: WebhookVerificationError | undefined;
  for (const one of secrets) {
    const fault = await faultOf(body, headers, one, options);
    if (fault === undefined) return parseEvent(body) as Event;
    first ??= fault;
  }
  throw first ?? malformedSecret('there is no secret');
}

async function faultOf(
  body: Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions,
): Promise<WebhookVerificationError | undefined> {
  try {
    if (secret.startsWith(PREFIX)) await checkStandard(body, headers, secret, options);
    else await checkWebhookAuth(body, headers, secret);
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
}

async function checkStandard(
  body: Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions,
): Promise<void> {
  const key = fromBase64(secret.slice(PREFIX.length));
  if (key === undefined || key.length < SECRET_BYTES_LEAST) {
    throw malformedSecret('a webhook secret is whsec_ and base64 of at least 24 bytes');
  }
  const id = requireHeader(headers, 'webhook-id');
  const timestamp = requireHeader(headers, 'webhook-timestamp');
  const signatures = requireHeader(headers, 'webhook-signature');
  checkAge(timestamp, options);
  const signed = concatenated([bytesOf(`${id}.${timestamp}.`), body]);
  const expected = await hmacSha256(key, signed);
  const given = signatures.split(' ').flatMap((one) => {
    const decoded = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined;
    return decoded === undefined ? [] : [decoded];
  });
  if (!given.some((one) => isEqual(one, expected))) throw mismatch();
}

async function checkWebhookAuth(
  body: Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string,
): Promise<void> {
  if (secret.trim() === '') throw malformedSecret('the secret is empty');
  const given = requireHeader(headers, 'x-webhook-auth');
  const expected = hex(await sha256(concatenated([bytesOf(secret), body])));
  if (!isEqual(bytesOf(given), bytesOf(expected))) throw mismatch();
}

function checkAge(text: string, options: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(text)) {
    throw new WebhookVerificationError('header_malformed', 'webhook-timestamp is no Unix time');
  }
  const tolerance = options.toleranceSeconds ?? TOLERANCE_SECONDS;
  const now = Math.floor(options.now === undefined ? Date.now() / 1000 : options.now());
  const age = now - Number(text);
  if (age > tolerance) {
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `sent ${age} s ago: it may be a replay`,
    );
  }
  if (-age > tolerance) {
    const message = `sent ${-age} s ahead of this machine’s clock`;
    throw new WebhookVerificationError('timestamp_too_new', message);
  }
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = findHeader(headers, name);
  if (value !== undefined && value !== '') return value;
  throw new WebhookVerificationError('header_missing', `the header ${name} is missing`);
}

function findHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([one]) => one.toLowerCase() === name);
  const value = entry?.[1] as string | readonly string[] | undefined;
  return typeof value === 'string' ? value : value?.[0];
}

function parseEvent(body: Uint8Array): unknown {
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new WebhookVerificationError('payload_malformed', 'the body is no JSON');
  }
}

function malformedSecret(message: string): WebhookVerificationError {
  return new WebhookVerificationError('secret_malformed', message);
}

function mismatch(): WebhookVerificationError {
  const message =
    'the signature is not that of this body: check the secret, and verify the raw body';
  return new WebhookVerificationError('signature_mismatch', message);
}
