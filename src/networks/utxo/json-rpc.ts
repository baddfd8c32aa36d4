// JSON-RPC as Bitcoin Core and its descendants speak it, over HTTP with kept connections.
// Guarantees: an answer is whole, answers the question asked and has at most `mostAnswerBytes`, or
// the call fails; amounts come as text (`quoteAmounts`). Everything the node cannot help is an
// Outage, what it refuses is an RpcFailure with its code. Not guaranteed: that the answer is true.
// Only for questions: a call may be sent twice when a kept connection turns out to be closed.

import { readFile } from 'node:fs/promises';
import { NodeLie } from '#networks/answer-fields.ts';
import {
  basicAuthorization,
  type HttpAnswer,
  type HttpClient,
  type HttpLimits,
  openHttpClient,
  parseAnswer,
} from '#networks/http-client.ts';
import { answersById, type RpcAnswer, type RpcCall, readRpcAnswer } from '#networks/json-rpc.ts';
import { nodeOutage } from '#networks/node-outage.ts';

export type CoreRpcOptions = HttpLimits & {
  /** Names the node in errors: the chain. */
  readonly what: string;
  /** http or https; with user and password where there is no cookie. */
  readonly url: string;
  /** File that the node writes anew at each start. */
  readonly cookiePath?: string | undefined;
};

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
/** RPC_INVALID_ADDRESS_OR_KEY: there is no such transaction. */
export const RPC_NOT_FOUND = -5;
/** RPC_VERIFY_ALREADY_IN_UTXO_SET: what it pays is in the chain already. */
export const RPC_ALREADY_IN_CHAIN = -27;
const RPC_WARMING_UP = -28;

const MOST_CALLS_PER_BATCH = 100;
const LIMITS = { timeoutMs: 30_000, mostAnswerBytes: 256 * 1024 * 1024 };
/** A long poll holds one, the questions share the others; the node has few threads. */
const CONNECTIONS = 4;

type Node = {
  readonly http: HttpClient;
  readonly cookiePath: string | undefined;
  /** The header made of the cookie; undefined until it is read, and after the node refused it. */
  authorization: Promise<string> | undefined;
  lastBytes: number;
};

export function openCoreRpc(options: CoreRpcOptions): CoreRpc {
  const http = openHttpClient({ ...LIMITS, ...options, connections: CONNECTIONS });
  const { cookiePath } = options;
  const node: Node = { http, cookiePath, authorization: undefined, lastBytes: 0 };
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
    close: () => http.close(),
  };
}

async function ask(
  node: Node,
  calls: readonly RpcCall[],
  callOptions: CallOptions,
): Promise<readonly RpcAnswer[]> {
  const { http } = node;
  const questions = calls.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params }));
  // A single question is sent bare: some proxies do not know arrays.
  const isSingle = questions.length === 1;
  const question = JSON.stringify(isSingle ? questions[0] : questions);
  const answer = await post(node, question, callOptions);
  const parsed = parse(http, answer);
  const byId = answersById(Array.isArray(parsed) ? parsed : [parsed]);
  return calls.map(({ method }, id) => readAnswer(http, method, byId.get(id), answer.status));
}

async function post(node: Node, body: string, callOptions: CallOptions): Promise<HttpAnswer> {
  const { what } = node.http;
  for (let attempt = 1; ; attempt += 1) {
    const headers = await login(node);
    const answer = await node.http.ask({ body, headers, ...callOptions });
    node.lastBytes = answer.body.length;
    if (answer.status !== 401) return answer;
    node.authorization = undefined;
    // A node that was started again since then has written another cookie: it is read once more.
    if (node.cookiePath === undefined || attempt > 1) {
      throw nodeOutage(what, 'the node refuses the user and password');
    }
  }
}

async function login(node: Node): Promise<{ readonly authorization?: string }> {
  const { cookiePath, http } = node;
  if (cookiePath === undefined) return {};
  node.authorization ??= readFile(cookiePath, 'utf8').then((text) =>
    basicAuthorization(text.trim()),
  );
  try {
    return { authorization: await node.authorization };
  } catch (error) {
    node.authorization = undefined;
    throw nodeOutage(http.what, 'the cookie file of the node cannot be read', error);
  }
}

function parse(http: HttpClient, answer: HttpAnswer): unknown {
  const { status } = answer;
  if (status === 403) throw nodeOutage(http.what, 'the node does not let us in');
  if (status === 503) throw nodeOutage(http.what, 'the node has too much to do');
  return parseAnswer(http, answer, quoteAmounts);
}

function readAnswer(http: HttpClient, method: string, value: unknown, status: number): RpcAnswer {
  const answer = readRpcAnswer(http, method, value);
  if (answer.ok && status !== 200) {
    throw nodeOutage(http.what, `the answer to ${method} has HTTP status ${status}`);
  }
  if (!answer.ok && answer.failure.code === RPC_WARMING_UP) {
    throw nodeOutage(http.what, `the node is starting: ${answer.failure.said}`);
  }
  return answer;
}

// Amounts in a node's answers are JSON numbers such as 0.10000000 or 1e-8. This turns the number of
// every key "value", "total_amount", "feerate", "mempoolminfee", "ancestor" or "descendant" into a
// JSON string before parsing, so that the digits reach us as the node wrote them and no float is
// made of them (A20).
//
// Measured on a block of 5,000 transactions (11 MB, Node 26): JSON.parse alone 12 ms, this and
// JSON.parse 16 ms, JSON.parse with a reviver that reads `context.source` 135 ms, because a reviver
// is called for each of the block's 250,000 values.
//
// Why a pattern is enough: inside a JSON string a quotation mark is written \", so `"value":` can
// only be a key (or the end of one, such as "x\"value", which no node writes and which would only
// become text too). A number the pattern misses stays a number, and readers of amounts refuse
// those.

const AMOUNT =
  /"(value|total_amount|feerate|mempoolminfee|ancestor|descendant)"\s*:\s*(-?\d[\d.eE+-]*)/g;

/** JSON text in which each number under such a key is a string of the same characters. */
export function quoteAmounts(json: string): string {
  return json.replace(AMOUNT, '"$1":"$2"');
}

// What a node answers, as what it should be. @throws NodeLie
export function requireCount(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new NodeLie(`${what} is no integer`);
}

export function requireBytes(value: unknown, what: string): Buffer {
  const text = typeof value === 'string' ? value : '';
  const bytes = Buffer.from(text, 'hex');
  if (bytes.length === 0 || bytes.length * 2 !== text.length) {
    throw new NodeLie(`${what} is missing or damaged`);
  }
  return bytes;
}
