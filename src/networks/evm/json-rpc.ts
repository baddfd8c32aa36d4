// JSON-RPC 2.0 over HTTP as Ethereum nodes speak it (execution-apis). Guarantees: an answer is
// whole, is the answer to the question asked, and has at most `mostAnswerBytes`, or the call fails;
// what the node cannot help is an Outage, what it refuses is an RpcFailure with its code; no error
// repeats the address of the endpoint, which may hold a key. Not guaranteed: that the answer is
// true. Only for questions: a batch that is too long for a node is asked again in smaller ones.

import http from 'node:http';
import https from 'node:https';
import { isFields } from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { ClosedConnection, wholeAnswer } from '#networks/whole-answer.ts';

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly failure: RpcFailure };

/** Sends a body, gives the answer's. */
export type PostText = (
  body: string,
) => Promise<{ readonly status: number; readonly text: string }>;

export interface EvmRpc {
  /** What it is called in the log and in `health`: no secret. */
  readonly label: string;
  /**
   * One answer for each call, in their order; `onBytes` is told of each text they came in how long
   * it is, and lets the caller bound its next question.
   */
  batch(
    calls: readonly RpcCall[],
    onBytes?: (bytes: number) => void,
  ): Promise<readonly RpcAnswer[]>;
  close(): void;
}

/** The node understood and said no. */
export class RpcFailure extends Error {
  readonly method: string;
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.name = 'RpcFailure';
    this.method = method;
    this.code = code;
  }
}

export const RPC_METHOD_MISSING = -32601;
const defaultTimeoutMs = 30_000;
const defaultMostAnswerBytes = 128 * 1024 * 1024;
const mostCallsAtFirst = 100;
const messageCharacters = 200;

type OnBytes = Parameters<EvmRpc['batch']>[1];

export type EvmRpcOptions = {
  /** Names the chain in errors. */
  readonly what: string;
  readonly label: string;
  readonly post: PostText;
  readonly close?: () => void;
};

export function openEvmRpc({ what, label, post, close }: EvmRpcOptions): EvmRpc {
  let mostCalls = mostCallsAtFirst;

  async function ask(calls: readonly RpcCall[], onBytes: OnBytes): Promise<readonly RpcAnswer[]> {
    const questions = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const isSingle = questions.length === 1;
    const { status, text } = await post(JSON.stringify(isSingle ? questions[0] : questions));
    onBytes?.(text.length);
    if (status === 401 || status === 403) throw nodeOutage(what, `${label} does not let us in`);
    if (status === 429) throw nodeOutage(what, `${label} has had too many questions from us`);
    const parsed = parseJson(what, label, status, text);
    if (isSingle) return [readAnswer(what, label, calls[0], parsed)];
    if (!Array.isArray(parsed)) {
      if (!isFields(parsed) || !isFields(parsed.error)) {
        throw nodeOutage(what, `${label} gave one answer to several questions`);
      }
      // Some providers take fewer questions at once.
      mostCalls = Math.max(1, Math.floor(calls.length / 2));
      return inTurns(calls, onBytes);
    }
    const byId = new Map(parsed.map((one) => [isFields(one) ? one.id : undefined, one]));
    return calls.map((call, id) => readAnswer(what, label, call, byId.get(id)));
  }

  async function inTurns(
    calls: readonly RpcCall[],
    onBytes?: OnBytes,
  ): Promise<readonly RpcAnswer[]> {
    const answers: RpcAnswer[] = [];
    while (answers.length < calls.length) {
      const turn = calls.slice(answers.length, answers.length + mostCalls);
      answers.push(...(await ask(turn, onBytes)));
    }
    return answers;
  }

  return {
    label,
    batch: inTurns,
    close: () => close?.(),
  };
}

/** The results of answers none of which may be a refusal. */
export async function askAll(rpc: EvmRpc, calls: readonly RpcCall[]): Promise<readonly unknown[]> {
  return (await rpc.batch(calls)).map((answer) => {
    if (!answer.ok) throw answer.failure;
    return answer.result;
  });
}

export type HttpPost = { readonly post: PostText; readonly close: () => void };

/** `url`: http or https; its user and password are sent as Basic authentication. */
export function httpPost(
  what: string,
  label: string,
  url: URL,
  limits: { readonly timeoutMs?: number; readonly mostAnswerBytes?: number } = {},
): HttpPost {
  const { timeoutMs = defaultTimeoutMs, mostAnswerBytes = defaultMostAnswerBytes } = limits;
  const client = url.protocol === 'https:' ? https : http;
  const agent = new client.Agent({ keepAlive: true, maxSockets: 8 });
  const target = new URL(url);
  const auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  target.username = '';
  target.password = '';

  async function post(body: string): Promise<{ status: number; text: string }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(body);
      } catch (error) {
        if (!(error instanceof ClosedConnection) || attempt > 4) throw error;
      }
    }
  }

  async function send(body: string): Promise<{ status: number; text: string }> {
    const request = client.request(target, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...(auth === ':' ? {} : { authorization: `Basic ${btoa(auth)}` }),
      },
    });
    const bounds = { what, whom: label, timeoutMs, mostAnswerBytes, signal: undefined };
    const answer = await wholeAnswer(request, body, bounds);
    return { status: answer.status, text: answer.body.toString('utf8') };
  }

  return { post, close: () => agent.destroy() };
}

function parseJson(what: string, label: string, status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw nodeOutage(what, `the answer of ${label} is no JSON (HTTP status ${status})`);
  }
}

function readAnswer(
  what: string,
  label: string,
  call: RpcCall | undefined,
  answer: unknown,
): RpcAnswer {
  const method = call?.method ?? '';
  if (!isFields(answer)) throw nodeOutage(what, `${label} left ${method} unanswered`);
  const { error, result } = answer;
  if (error === null || error === undefined) {
    if (result !== undefined) return { ok: true, result };
    throw nodeOutage(what, `the answer of ${label} to ${method} is neither result nor error`);
  }
  const { code, message } = isFields(error) ? error : {};
  if (typeof code !== 'number')
    throw nodeOutage(what, `the error of ${label} for ${method} has no code`);
  const text = String(message).slice(0, messageCharacters);
  return { ok: false, failure: new RpcFailure(method, code, text) };
}
