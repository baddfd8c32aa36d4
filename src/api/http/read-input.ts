// What a request says, as existing clients send it (api-contract.md 1): JSON whatever the
// Content-Type, `[]` for an empty object. Guarantees: sizes are bounded; bytes stay as received,
// because the MAC is over them; each fault is a refusal that says what is wrong.

import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '#api/endpoint.ts';
import { Refusal } from '#base/refusal.ts';
import { type ExactJson, parseExactJson } from '#money/exact-json.ts';
import type { RequestHeaders } from './request-headers.ts';

/** api-contract.md 5, Limits. */
const BODY_BYTES_MAX = 256 * 1024;
/** What an honest client may still be sending when it is refused: it must get to read why. */
const DISCARDED_BYTES_MAX = 8 * BODY_BYTES_MAX;

/**
 * The body of a request on a socket, GET included, as far as it is there within `ms`. If the rest
 * comes too late it fails with the connection: nobody reads it any more.
 * @throws Refusal `body_too_large`, `body_incomplete` or `body_timeout`.
 */
export async function receiveBody(incoming: IncomingMessage, ms: number): Promise<Buffer> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > DISCARDED_BYTES_MAX) throw bodyTooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const timer = setTimeout(() => {
    reject(new Refusal('invalid', 'body_timeout', 'the body took too long'));
  }, ms);
  const chunks: Buffer[] = [];
  let length = 0;
  // By its events: an iterator of the stream costs more than most bodies.
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= BODY_BYTES_MAX) chunks.push(chunk);
    if (length <= DISCARDED_BYTES_MAX) return;
    incoming.pause();
    clearTimeout(timer);
    reject(bodyTooLarge());
  });
  let isOver = false;
  incoming.once('end', () => {
    isOver = true;
    clearTimeout(timer);
    if (length > BODY_BYTES_MAX) reject(bodyTooLarge());
    else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  });
  const cutOff = (cause?: Error) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    reject(new Refusal('invalid', 'body_incomplete', 'the body ended too early', { cause }));
  };
  incoming.once('error', cutOff);
  incoming.once('close', () => cutOff());
  return promise;
}

function bodyTooLarge(): Refusal {
  const message = `the body must have at most ${BODY_BYTES_MAX} bytes`;
  return new Refusal('too-large', 'body_too_large', message);
}

/** `{}` and `[]` are what PHP clients send for "nothing"; some of them sign the empty text. */
function isEmptyBody(body: Uint8Array): boolean {
  if (body.length === 0) return true;
  if (body.length !== 2) return false;
  const text = String.fromCharCode(...body);
  return text === '{}' || text === '[]';
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws Refusal `json_malformed`. An absent body is an empty object. */
export function readJson(body: Uint8Array): ExactJson {
  if (isEmptyBody(body)) return {};
  let text: string;
  try {
    text = decoder.decode(body);
  } catch (error) {
    const message = 'the body is not valid UTF-8';
    throw new Refusal('invalid', 'json_malformed', message, { cause: error });
  }
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Refusal('invalid', 'json_malformed', parsed.message);
  return Array.isArray(parsed.value) && parsed.value.length === 0 ? {} : parsed.value;
}

/** One parameter of which nothing stands for something else: most requests have no more. */
const PLAIN_QUERY = /^(\w+)=([\w.-]*)$/;

/** The parameters of a GET as an object of texts. @throws Refusal when one is given twice. */
export function readQuery(query: string): ExactJson {
  const fields: { [name: string]: ExactJson } = Object.create(null);
  if (query === '') return fields;
  const plain = PLAIN_QUERY.exec(query);
  if (plain !== null) {
    const [, name = '', value = ''] = plain;
    fields[name] = value;
    return fields;
  }
  const faults: string[] = [];
  for (const [name, value] of new URLSearchParams(query)) {
    if (isBroken(name)) {
      faults.push('the name of a parameter must be well-formed text');
      continue;
    }
    if (name in fields) faults.push(`${name}: is given twice`);
    if (isBroken(value)) {
      faults.push(`${name}: must be well-formed text`);
    }
    fields[name] = value;
  }
  if (faults.length > 0) throw new Refusal('invalid', 'validation_failed', faults);
  return fields;
}

/** Refuses characters that a text of the database cannot hold. */
function isBroken(text: string): boolean {
  return !text.isWellFormed() || text.includes('\u0000');
}

/** @throws Refusal `body_too_large`, `content_encoding` or `body_not_allowed`. */
export function refuseFraming({
  method,
  headers,
  body,
}: {
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
}): void {
  if (body.length > BODY_BYTES_MAX) throw bodyTooLarge();
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('invalid', 'content_encoding', 'an encoded body is not accepted');
  }
  if (method === 'GET' && !isEmptyBody(body)) {
    throw new Refusal('invalid', 'body_not_allowed', 'a GET request has no body');
  }
}

/** The body of a POST, the query of a GET. @throws Refusal */
export function readInput(
  { method }: Pick<Endpoint, 'method'>,
  body: Uint8Array,
  query: string,
): ExactJson {
  if (method === 'GET') return readQuery(query);
  return readJson(body);
}
