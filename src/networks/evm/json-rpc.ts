// JSON-RPC 2.0 over HTTP as Ethereum nodes speak it (execution-apis). Guarantees: an answer is
// whole, is the answer to the question asked, and has at most `mostAnswerBytes`, or the call fails;
// what the node cannot help is an Outage, what it refuses is an RpcFailure with its code; questions
// that were too many, or whose answers were too long, are asked again in smaller batches, down to
// one; a node that wants to be left alone is, for as long as it says; no error repeats the address
// of the endpoint, which may hold a key. Not guaranteed: that the answer is true.

import { type Clock, systemClock } from '#base/clock.ts';
import { isFields } from '#networks/answer-fields.ts';
import {
  AnswerTooLong,
  type HttpLimits,
  openHttpClient,
  retryAfterMs,
} from '#networks/http-client.ts';
import {
  answersById,
  type RpcAnswer,
  type RpcCall,
  readRpcAnswer,
  resultsOf,
} from '#networks/json-rpc.ts';
import { nodeOutage } from '#networks/node-outage.ts';

export type PostedText = {
  readonly status: number;
  readonly text: string;
  /** What the header Retry-After says, where there is one. */
  readonly retryAfter?: string | undefined;
};

/** Sends a body, gives the answer's. */
export type PostText = (body: string) => Promise<PostedText>;

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

const LIMITS = { timeoutMs: 30_000, mostAnswerBytes: 128 * 1024 * 1024 };
const CONNECTIONS = 8;
const MOST_CALLS_EVER = 100;
/** Full batches in a row that were answered before a larger one is tried. */
const TURNS_UNTIL_MORE = 16;
const QUIET_MS = { first: 1_000, most: 20_000, mostAsked: 300_000 };
/** A proxy before the node answers so when a batch holds too much, or takes too long. */
const TOO_MUCH_STATUSES = new Set([400, 408, 413, 504, 524]);
/** As a node says of one question that its answer is too long: who asked may ask for parts. */
const TOO_LONG = JSON.stringify({ error: { code: -32003, message: 'response too large' } });

type OnBytes = Parameters<EvmRpc['batch']>[1];

type EvmRpcOptions = {
  /** Names the chain in errors. */
  readonly what: string;
  readonly label: string;
  readonly post: PostText;
  readonly close?: () => void;
  readonly clock?: Pick<Clock, 'monotonicMs' | 'now'>;
};

type Endpoint = Pick<EvmRpcOptions, 'what' | 'label' | 'post'> & {
  readonly size: ReturnType<typeof batchSize>;
  readonly quiet: ReturnType<typeof quietTime>;
};

export function openEvmRpc(options: EvmRpcOptions): EvmRpc {
  const { what, label, post, close, clock = systemClock } = options;
  const endpoint: Endpoint = { what, label, post, size: batchSize(), quiet: quietTime(clock) };
  return {
    label,
    batch: (calls, onBytes) => askInTurns(endpoint, calls, onBytes),
    close: () => close?.(),
  };
}

async function askInTurns(
  endpoint: Endpoint,
  calls: readonly RpcCall[],
  onBytes: OnBytes,
): Promise<readonly RpcAnswer[]> {
  const { size, quiet } = endpoint;
  const answers = new Map<RpcCall, RpcAnswer>();
  let left = calls;
  while (left.length > 0) {
    const turn = left.slice(0, size.most());
    const answered = await ask(endpoint, turn, onBytes);
    turn.forEach((call, at) => {
      const answer = answered[at];
      if (answer !== undefined) answers.set(call, answer);
    });
    const again = turn.filter((_, at) => answered[at] === undefined);
    size.note(turn.length, again.length === 0);
    if (again.length === 0) quiet.end();
    left = [...again, ...left.slice(turn.length)];
  }
  return calls.map((call) => answers.get(call)!);
}

/** One answer a call; undefined where the call has to be asked again in a smaller batch. */
async function ask(
  endpoint: Endpoint,
  calls: readonly RpcCall[],
  onBytes: OnBytes,
): Promise<Answered> {
  const { what, label } = endpoint;
  const isSingle = calls.length === 1;
  const { status, text, retryAfter } = await sendAll(endpoint, calls, onBytes);
  if (status === 429) throw limited(endpoint, retryAfter);
  const parsed = parseJson(text);
  const error = errorOfAll(parsed, calls.length);
  if (error !== undefined && kindOfRefusal(error) === 'later') throw limited(endpoint, retryAfter);
  const isDenied = status === 401 || status === 403;
  if (isDenied && error === undefined && !isAnswers(parsed)) {
    throw nodeOutage(what, `${label} does not let us in`);
  }
  if (!isSingle && (error !== undefined || TOO_MUCH_STATUSES.has(status)) && !isAnswers(parsed)) {
    return calls.map(() => undefined);
  }
  if (parsed === undefined) {
    throw nodeOutage(what, `the answer of ${label} is no JSON (HTTP status ${status})`);
  }
  const readOne = (call: RpcCall | undefined, value: unknown): RpcAnswer => {
    const answer = readRpcAnswer({ what, whom: label }, call?.method ?? '', value);
    if (answer.ok || kindOfRefusal(answer.failure) !== 'later') return answer;
    throw limited(endpoint, retryAfter);
  };
  if (isSingle) return [readOne(calls[0], parsed)];
  if (!isAnswers(parsed)) throw nodeOutage(what, `${label} gave one answer to several questions`);
  const byId = answersById(parsed);
  return calls.map((call, id) => {
    const answer = readOne(call, byId.get(id));
    return !answer.ok && kindOfRefusal(answer.failure) === 'fewer' ? undefined : answer;
  });
}

async function sendAll(
  { what, label, post, quiet }: Endpoint,
  calls: readonly RpcCall[],
  onBytes: OnBytes,
): Promise<PostedText> {
  if (quiet.isNow()) throw nodeOutage(what, `${label} wants to be left alone for a while`);
  const questions = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  try {
    const posted = await post(JSON.stringify(calls.length === 1 ? questions[0] : questions));
    onBytes?.(posted.text.length);
    return posted;
  } catch (error) {
    if (!(error instanceof AnswerTooLong)) throw error;
    onBytes?.(error.bytes);
    return { status: 413, text: calls.length === 1 ? TOO_LONG : '' };
  }
}

function limited({ what, label, quiet }: Endpoint, retryAfter: string | undefined): Error {
  quiet.begin(retryAfter);
  return nodeOutage(what, `${label} has had too many questions from us`);
}

type Answered = readonly (RpcAnswer | undefined)[];

/** How many questions go together: half as many after each refusal, and slowly more again. */
function batchSize() {
  let most = MOST_CALLS_EVER;
  let fullTurns = 0;
  return {
    most: () => most,
    note(asked: number, wasAnswered: boolean): void {
      if (!wasAnswered) {
        most = Math.min(most, Math.max(1, Math.floor(asked / 2)));
        fullTurns = 0;
      } else if (asked >= most) {
        fullTurns += 1;
        if (fullTurns < TURNS_UNTIL_MORE) return;
        most = Math.min(MOST_CALLS_EVER, Math.ceil(1.5 * most));
        fullTurns = 0;
      }
    },
  };
}

/** As long as the node says, or longer each time where it does not say. */
function quietTime({ monotonicMs, now }: Pick<Clock, 'monotonicMs' | 'now'>) {
  let untilMs = Number.NEGATIVE_INFINITY;
  let times = 0;
  return {
    isNow: () => monotonicMs() < untilMs,
    begin(retryAfter: string | undefined): void {
      times += 1;
      const usualMs = Math.min(QUIET_MS.most, QUIET_MS.first * 2 ** Math.min(10, times - 1));
      const askedMs = Math.min(QUIET_MS.mostAsked, retryAfterMs(retryAfter, now()) ?? usualMs);
      untilMs = Math.max(untilMs, monotonicMs() + askedMs);
    },
    end(): void {
      times = 0;
    },
  };
}

/** One error that stands for all the questions of a batch, bare or as a list of one. */
function errorOfAll(parsed: unknown, asked: number): { code: number; said: string } | undefined {
  const isList = Array.isArray(parsed) && parsed.length === 1 && asked > 1;
  const one: unknown = isList ? parsed[0] : parsed;
  if (!isFields(one) || !isFields(one.error)) return undefined;
  const { code, message } = one.error;
  return { code: typeof code === 'number' ? code : 0, said: String(message) };
}

/** More than one error that stands for all. */
function isAnswers(parsed: unknown): parsed is readonly unknown[] {
  return Array.isArray(parsed) && parsed.length > 1;
}

/** The results, in the order of the calls. @throws RpcFailure when the node refuses one of them. */
export async function askAll(rpc: EvmRpc, calls: readonly RpcCall[]): Promise<readonly unknown[]> {
  return resultsOf(await rpc.batch(calls));
}

export type HttpPost = { readonly post: PostText; readonly close: () => void };

export function httpPost(what: string, label: string, url: URL, limits: HttpLimits = {}): HttpPost {
  const options = { what, whom: label, url, connections: CONNECTIONS };
  const client = openHttpClient({ ...LIMITS, ...options, ...limits });
  return {
    async post(body) {
      const { status, body: answered, headers } = await client.ask({ body });
      return { status, text: answered.toString('utf8'), retryAfter: headers['retry-after'] };
    },
    close: () => client.close(),
  };
}

/** Undefined when the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// What a refusal of a node asks us to do. The words decide before the codes: providers use one code
// for several things (-32000, -32003, -32005 and -32600 above all). The words are of geth, bor,
// Erigon, Nethermind, reth, OP's proxyd, and of Alchemy, Ankr, drpc, Infura, publicnode, QuickNode;
// each is a row in test/fakes/evm-providers.ts.

type RefusalKind =
  /** Fewer questions at once, or questions with a shorter answer. */
  | 'fewer'
  /** The same, later. */
  | 'later'
  /** The method is not offered. */
  | 'method'
  /** The state of that block is not kept. */
  | 'state'
  | 'no';

const words: readonly (readonly [RefusalKind, RegExp])[] = [
  // What a contract says is not said by the node.
  ['no', /revert/i],
  ['fewer', /batch.*(too|more than|exceed|limit|maximum|size)|too many.*batch/i],
  ['method', /method.*(not|un)[ -]?(found|support|available|allowed|exist|whitelist|included)/i],
  ['method', /(not |un)supported.*method|method is disabled|unknown method/i],
  ['method', /eth_\w+.*(not |un)(supported|available)|freetier|current plan/i],
  ['later', /rate.?limit|request limit|too many requests|compute units|throttl|quota|credits/i],
  ['later', /rate exceeded|request count exceeded|capacity limit|too much load|usage limit/i],
  ['fewer', /(response|answer|result|body|entity|content).*(too large|too big|exceed)/i],
  ['fewer', /too large|timed? ?out|returned more than|exceeds max results/i],
  ['state', /trie|state|archiv|prun|histor|header not found|unknown block|block not found/i],
  ['state', /missing|not available|too old|no longer/i],
];

const codes: ReadonlyMap<number, RefusalKind> = new Map([
  [-32601, 'method'],
  [-32004, 'method'],
  [35, 'method'],
  [429, 'later'],
  [-32005, 'later'],
  [-32007, 'later'],
  [-32012, 'later'],
  [-32016, 'later'],
  [15, 'later'],
  [31, 'fewer'],
  [-32014, 'fewer'],
  [-32020, 'fewer'],
  [-32701, 'state'],
]);

export function kindOfRefusal({
  code,
  said,
}: {
  readonly code: number;
  readonly said: string;
}): RefusalKind {
  if (code === 3) return 'no';
  return words.find(([, pattern]) => pattern.test(said))?.[0] ?? codes.get(code) ?? 'no';
}
