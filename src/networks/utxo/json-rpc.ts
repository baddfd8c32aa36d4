// JSON-RPC as Bitcoin Core and its descendants speak it, over HTTP with kept connections.
// Guarantees: an answer is whole, answers the question asked and has at most `mostAnswerBytes`, or
// the call fails; amounts come as text (quote-amounts.ts). Everything the node cannot help is an
// Outage, what it refuses is an RpcFailure with its code. Not guaranteed: that the answer is true.
// Only for questions: a call may be sent twice when a kept connection turns out to be closed.

import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { isFields, RpcFailure } from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { ClosedConnection, type WholeAnswer, wholeAnswer } from '#networks/whole-answer.ts';
import { quoteAmounts } from './quote-amounts.ts';

export type CoreRpcOptions = {
  /** Names the node in errors: the chain. */
  readonly what: string;
  /** http or https, without user and password. */
  readonly url: string;
  readonly credentials:
    | { readonly user: string; readonly password: string }
    /** The node writes a new one at each start. */
    | { readonly cookiePath: string };
  readonly timeoutMs?: number;
  readonly mostAnswerBytes?: number;
};

type RpcCall = { readonly method: string; readonly params: readonly unknown[] };
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly failure: RpcFailure };
export type CallOptions = { readonly timeoutMs?: number; readonly signal?: AbortSignal };

export interface CoreRpc {
  /** @throws RpcFailure when the node refuses, Outage when it cannot be asked. */
  call(method: string, params?: readonly unknown[], options?: CallOptions): Promise<unknown>;
  /** One answer for each call, in their order; sent `MOST_CALLS_PER_BATCH` at most at a time. */
  batch(calls: readonly RpcCall[], options?: CallOptions): Promise<readonly RpcAnswer[]>;
  /** Bytes of the last answer: lets the caller bound its next request. */
  lastAnswerBytes(): number;
  close(): void;
}

/** Codes of refusals: rpc/protocol.h of Bitcoin Core. */
export const RPC_METHOD_MISSING = -32601;
export const RPC_OUT_OF_RANGE = -8;
const warmingUp = -28;

const MOST_CALLS_PER_BATCH = 100;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MOST_ANSWER_BYTES = 256 * 1024 * 1024;

type Node = {
  readonly what: string;
  readonly url: URL;
  readonly client: typeof http | typeof https;
  readonly agent: http.Agent;
  readonly credentials: CoreRpcOptions['credentials'];
  readonly timeoutMs: number;
  readonly mostAnswerBytes: number;
  /** Undefined until it is read, and when the node refused it. */
  authorization: Promise<string> | undefined;
  lastBytes: number;
};

export function openCoreRpc(options: CoreRpcOptions): CoreRpc {
  const { what, credentials } = options;
  const url = new URL(options.url);
  const client = url.protocol === 'https:' ? https : http;
  const node: Node = {
    what,
    url,
    client,
    // A long poll holds one connection, the questions share the others; the node has few threads.
    agent: new client.Agent({ keepAlive: true, maxSockets: 4 }),
    credentials,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    mostAnswerBytes: options.mostAnswerBytes ?? DEFAULT_MOST_ANSWER_BYTES,
    authorization: undefined,
    lastBytes: 0,
  };
  return {
    async call(method, params = [], callOptions = {}) {
      const [answer] = await ask(node, [{ method, params }], callOptions);
      if (answer?.ok !== true) throw answer?.failure;
      return answer.result;
    },
    async batch(calls, callOptions = {}) {
      const answers: RpcAnswer[] = [];
      for (let at = 0; at < calls.length; at += MOST_CALLS_PER_BATCH) {
        answers.push(...(await ask(node, calls.slice(at, at + MOST_CALLS_PER_BATCH), callOptions)));
      }
      return answers;
    },
    lastAnswerBytes: () => node.lastBytes,
    close: () => node.agent.destroy(),
  };
}

async function ask(
  node: Node,
  calls: readonly RpcCall[],
  callOptions: CallOptions,
): Promise<readonly RpcAnswer[]> {
  const questions = calls.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params }));
  // A single question is sent bare: some proxies do not know arrays.
  const isSingle = questions.length === 1;
  const question = JSON.stringify(isSingle ? questions[0] : questions);
  const { status, body } = await post(node, question, callOptions);
  const parsed = parseAnswer(node.what, status, body);
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const byId = new Map(list.map((item) => [isFields(item) ? item.id : undefined, item]));
  return calls.map(({ method }, id) => readAnswer(node.what, method, byId.get(id), status));
}

async function post(node: Node, body: string, callOptions: CallOptions): Promise<WholeAnswer> {
  const { what, credentials } = node;
  for (let attempt = 1; ; attempt += 1) {
    node.authorization ??= readAuthorization(credentials);
    const header = await node.authorization.catch((error: unknown) => {
      node.authorization = undefined;
      throw nodeOutage(what, 'the cookie file of the node cannot be read', error);
    });
    try {
      const answer = await send(node, body, header, callOptions);
      node.lastBytes = answer.body.length;
      if (answer.status !== 401) return answer;
      node.authorization = undefined;
      const isCookie = 'cookiePath' in credentials;
      // The node was started again since the cookie was read.
      if (!isCookie || attempt > 1)
        throw nodeOutage(what, 'the node refuses the user and password');
    } catch (error) {
      if (!(error instanceof ClosedConnection) || attempt > 4) throw error;
    }
  }
}

function send(
  node: Node,
  body: string,
  header: string,
  { timeoutMs = node.timeoutMs, signal }: CallOptions,
): Promise<WholeAnswer> {
  const { what, url, client, agent, mostAnswerBytes } = node;
  const request = client.request(url, {
    agent,
    method: 'POST',
    headers: {
      authorization: header,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
    signal,
  });
  return wholeAnswer(request, body, { what, timeoutMs, mostAnswerBytes, signal });
}

async function readAuthorization(credentials: CoreRpcOptions['credentials']): Promise<string> {
  const pair =
    'cookiePath' in credentials
      ? (await readFile(credentials.cookiePath, 'utf8')).trim()
      : `${credentials.user}:${credentials.password}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function parseAnswer(what: string, status: number, body: Buffer): unknown {
  if (status === 401 || status === 403) throw nodeOutage(what, 'the node does not let us in');
  if (status === 503) throw nodeOutage(what, 'the node has too much to do');
  try {
    return JSON.parse(quoteAmounts(body.toString('utf8')));
  } catch (error) {
    throw nodeOutage(what, `the node's answer is no JSON (HTTP status ${status})`, error);
  }
}

function readAnswer(what: string, method: string, answer: unknown, status: number): RpcAnswer {
  if (!isFields(answer))
    throw nodeOutage(what, `the node left ${method} unanswered (HTTP ${status})`);
  const { error, result } = answer;
  if (error === null || error === undefined) {
    if (status === 200 && result !== undefined) return { ok: true, result };
    throw nodeOutage(what, `the node's answer to ${method} is neither result nor error`);
  }
  const { code, message } = isFields(error) ? error : {};
  if (typeof code !== 'number')
    throw nodeOutage(what, `the node's error for ${method} has no code`);
  if (code === warmingUp) throw nodeOutage(what, `the node is starting: ${String(message)}`);
  return { ok: false, failure: new RpcFailure(method, code, String(message)) };
}
