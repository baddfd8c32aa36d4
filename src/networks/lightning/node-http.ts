// HTTP to a Lightning node, with its TLS certificate pinned. Guarantees: an answer is whole and at
// most `mostAnswerBytes`, or the call is an Outage; with a pinned certificate no other server is
// ever spoken to, whoever signed its certificate; secrets are sent as headers and are in no error.
// Not guaranteed: that the answer is true. A call may be sent twice when a kept connection turns
// out to be closed: everything asked here may be asked twice.

import { X509Certificate } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { checkServerIdentity } from 'node:tls';
import { nodeOutage } from '#networks/node-outage.ts';
import { ClosedConnection, wholeAnswer } from '#networks/whole-answer.ts';

type NodeHttpOptions = {
  /** Names the node in errors: the chain. */
  readonly what: string;
  /** http or https, without user and password. */
  readonly url: string;
  /** Sent with every call; values are secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the node's certificate, or of the authority that signed it. */
  readonly certificate: string | undefined;
  readonly timeoutMs?: number;
  readonly mostAnswerBytes?: number;
};

export type NodeCall = {
  readonly method: 'GET' | 'POST';
  /** With its query, beginning with a slash. */
  readonly path: string;
  readonly body?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type NodeAnswer = { readonly status: number; readonly text: string };

export interface NodeHttp {
  /** @throws Outage when there is no whole answer in time. */
  ask(call: NodeCall): Promise<NodeAnswer>;
  /** Keeps the answer open and hands over its parts; ends when it ends, or is aborted. */
  listen(path: string, onPart: (text: string) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

const defaultTimeoutMs = 15_000;
const defaultMostAnswerBytes = 64 * 1024 * 1024;
/** Longest part of a stream that is looked at. */
const mostPartBytes = 1024 * 1024;

export function openNodeHttp(options: NodeHttpOptions): NodeHttp {
  const { what, mostAnswerBytes = defaultMostAnswerBytes } = options;
  const base = new URL(options.url);
  const client = base.protocol === 'https:' ? https : http;
  const agent = new client.Agent({ keepAlive: true, maxSockets: 4 });
  // A stream never gives its connection back.
  const streamAgent = new client.Agent({ keepAlive: false });
  const pinned = options.certificate === undefined ? {} : pinnedTls(options.certificate);

  function open(call: NodeCall, from: http.Agent): http.ClientRequest {
    const url = new URL(base);
    const prefix = base.pathname.replace(/\/$/, '');
    const [path = '', query = ''] = call.path.split('?');
    url.pathname = `${prefix}${path}`;
    url.search = query;
    const { body } = call;
    const type = { 'content-type': 'application/json', accept: 'application/json' };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    return client.request(url, {
      agent: from,
      method: call.method,
      headers: { ...options.headers, ...type, ...length },
      signal: call.signal,
      ...pinned,
    });
  }

  async function askOnce(call: NodeCall): Promise<NodeAnswer> {
    const { timeoutMs = options.timeoutMs ?? defaultTimeoutMs, signal } = call;
    const limits = { what, timeoutMs, mostAnswerBytes, signal };
    const { status, body } = await wholeAnswer(open(call, agent), call.body, limits);
    return { status, text: body.toString('utf8') };
  }

  return {
    async ask(call) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await askOnce(call);
        } catch (error) {
          if (!(error instanceof ClosedConnection) || attempt > 4) throw error;
        }
      }
    },
    listen(path, onPart, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const request = open({ method: 'GET', path, signal }, streamAgent);
      request.on('error', (error) =>
        signal.aborted
          ? resolve()
          : reject(nodeOutage(what, 'the stream of the node broke', error)),
      );
      request.on('response', (response) => {
        if (response.statusCode !== 200) {
          request.destroy();
          return reject(nodeOutage(what, `the node refuses a stream (${response.statusCode})`));
        }
        response.on('data', (part: Buffer) => onPart(part.toString('utf8', 0, mostPartBytes)));
        response.on('error', () => resolve());
        response.on('close', () => resolve());
      });
      request.end();
      return promise;
    },
    close() {
      agent.destroy();
      streamAgent.destroy();
    },
  };
}

/** @throws Outage when the body is no JSON. */
export function parseJson(what: string, { status, text }: NodeAnswer): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw nodeOutage(what, `the node's answer is no JSON (HTTP status ${status})`, error);
  }
}

/**
 * Only what is in the file is trusted. The certificate itself may carry any name (nodes write their
 * own); one that an authority in the file signed must be of the host that is called.
 */
function pinnedTls(pem: string): https.RequestOptions & { allowPartialTrustChain: true } {
  const pinned = new X509Certificate(pem);
  return {
    ca: [pem],
    allowPartialTrustChain: true,
    checkServerIdentity: (host, certificate) =>
      pinned.raw.equals(certificate.raw) ? undefined : checkServerIdentity(host, certificate),
  };
}
