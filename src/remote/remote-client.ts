// Signed requests to an installation, as any program of a shop makes them. Guarantees: what the
// installation refuses is a Refusal with its code and its words; what is no answer of it is an
// Outage; the secret is used to sign and is in no error.

import { createHmac } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { Outage, Refusal, type RefusalKind, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import type { Profile } from './profile.ts';

const API = '/api/v1';
const ANSWER_MS = 60_000;

/** Parsed JSON of an answer, to be looked into with `?.`. */
export type Json = { readonly [name: string]: Json | undefined };

export type ClientAnswer = {
  /** As it came: amounts and `meta` keep every digit. */
  readonly text: string;
  readonly json: Json;
};

export type InstallationClient = {
  readonly url: string;
  get(
    path: string,
    query?: Readonly<Record<string, string | undefined>>,
    signal?: AbortSignal,
  ): Promise<ClientAnswer>;
  post(path: string, body: object | string): Promise<ClientAnswer>;
};

export function openRemoteClient(
  { url, key, secret }: Profile,
  { clock }: { readonly clock: Clock },
): InstallationClient {
  /** A signature is good for seconds, and a clock at home may be wrong by minutes. */
  let skewSeconds: Promise<number> | undefined;

  async function readSkew(): Promise<number> {
    const { json } = await ask(`${url}${API}/time`, { method: 'GET' });
    return Number(json.time) - seconds(clock);
  }

  async function call(
    method: 'GET' | 'POST',
    path: string,
    query: string,
    body: string,
    signal?: AbortSignal,
  ): Promise<ClientAnswer> {
    skewSeconds ??= readSkew();
    const skew = await skewSeconds.catch((error: unknown) => {
      skewSeconds = undefined;
      throw error;
    });
    const timestamp = String(seconds(clock) + skew);
    const signed = `${path.toLowerCase()}${timestamp}${method}${body}`;
    return ask(`${url}${API}${path}${query}`, {
      method,
      headers: {
        'x-digest-key': key,
        'x-digest-timestamp': timestamp,
        'x-digest-signature': createHmac('sha256', secret).update(signed).digest('hex'),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body }),
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal ? [signal] : [])]),
    });
  }

  return {
    url,
    get(path, query = {}, signal) {
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      const text = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
      return call('GET', path, text, '', signal);
    },
    post: (path, body) =>
      call('POST', path, '', typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

function seconds(clock: Clock): number {
  return Math.floor(clock.now().epochMilliseconds / 1000);
}

async function ask(url: string, request: RequestInit): Promise<ClientAnswer> {
  const { origin } = new URL(url);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...request, redirect: 'manual' });
    text = await response.text();
  } catch (error) {
    throw new Outage(origin, { cause: new Error(silenceText(error), { cause: error }) });
  }
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (error) {
    const words = `answered ${response.status} and no JSON: is this the address of the installation?`;
    const cause = new Error(words, { cause: error });
    throw new Outage(origin, { cause });
  }
  if (response.status === 200) return { text, json };
  throw refusalOf(origin, response, json);
}

/** fetch itself says that it failed, and hides why. */
function silenceText(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const isSlow = error instanceof Error && error.name === 'TimeoutError';
  const why = code ?? (isSlow ? `no answer within ${ANSWER_MS / 1000} s` : 'no connection');
  return `does not answer (${why}): is it running, and is the address right?`;
}

function refusalOf(origin: string, { status, headers }: Response, json: Json): Refusal | Outage {
  const errors = json.errors as unknown;
  const details = Array.isArray(errors) ? errors.map(String) : [`answered ${status}`];
  const retryAfterSeconds = Number(headers.get('retry-after')) || undefined;
  const kind = kindOf(status);
  if (kind === undefined || status >= 500) {
    const cause = new Error(details.join('; '));
    return new Outage(origin, { cause, retryAfterSeconds });
  }
  const code = headers.get('x-error-code') ?? 'refused';
  return new Refusal(kind, /^[a-z0-9_]+$/.test(code) ? code : 'refused', details, {
    retryAfterSeconds,
  });
}

function kindOf(status: number): RefusalKind | undefined {
  const kinds = Object.entries(STATUS_OF_REFUSAL) as [RefusalKind, number][];
  return kinds.find(([, known]) => known === status)?.[0];
}
