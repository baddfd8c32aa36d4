// One server of the XRP Ledger over WebSocket. Guarantees: an answer is the one to the question of
// that number, whole JSON of bounded size, or the question fails as an Outage, and every other one
// under way with it; addresses, which may hold keys, are in no message. What nobody asked for is
// ignored, but for the news of a ledger, which only wake. An answer that is too long fails alone,
// as far as its number can be told without reading it.
// Not guaranteed: that the answer is true.

import type { Outage } from '#base/refusal.ts';
import { type Fields, isFields } from '#networks/answer-fields.ts';
import { AnswerTooLong, type HttpLimits, splitAddress } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';

type XrplServerOptions = HttpLimits & {
  /** Names the network in errors. */
  readonly what: string;
  readonly url: string;
};

export interface XrplServer {
  /** For people: the host, without what could be secret. */
  readonly host: string;
  /** The result; undefined where the server answers with one of the errors in `absent`. */
  ask(
    command: string,
    parameters?: Fields,
    absent?: readonly string[],
  ): Promise<Fields | undefined>;
  /** Called at every ledger that the server announces while a connection is open. */
  onLedger(listener: () => void): void;
  close(): void;
}

type Question = {
  readonly absent: readonly string[];
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: Fields | undefined) => void;
  readonly reject: (error: Outage) => void;
};

type Connection = {
  readonly socket: WebSocket;
  readonly questions: Map<number, Question>;
  /** Until the connection is open. */
  readonly waiting: string[];
};

type Server = {
  readonly what: string;
  readonly url: URL;
  readonly headers: { readonly authorization?: string };
  readonly timeoutMs: number;
  readonly mostAnswerBytes: number;
  connection: Connection | undefined;
  isClosed: boolean;
  lastId: number;
  /** Told of each ledger. */
  listener: () => void;
};

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MOST_ANSWER_BYTES = 16 * 1024 * 1024;
const API_VERSION = 2;

export function openXrplServer(options: XrplServerOptions): XrplServer {
  const { url, headers } = splitAddress(options.url);
  const server: Server = {
    what: options.what,
    url,
    headers,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    mostAnswerBytes: options.mostAnswerBytes ?? DEFAULT_MOST_ANSWER_BYTES,
    connection: undefined,
    isClosed: false,
    lastId: 0,
    listener: () => undefined,
  };
  return {
    host: url.host,
    ask: (command, parameters = {}, absent = []) => ask(server, command, parameters, absent),
    onLedger(told) {
      server.listener = told;
    },
    close() {
      const { connection } = server;
      server.isClosed = true;
      if (connection !== undefined) drop(server, connection, 'no longer waited for');
    },
  };
}

function ask(
  server: Server,
  command: string,
  parameters: Fields,
  absent: readonly string[],
): Promise<Fields | undefined> {
  const { what, timeoutMs } = server;
  if (server.isClosed) return Promise.reject(nodeOutage(what, 'no longer asked'));
  const current = server.connection ?? connect(server);
  server.lastId += 1;
  const id = server.lastId;
  return new Promise((resolve, reject) => {
    const sentence = 'the server does not answer';
    const timer = setTimeout(
      () => drop(server, current, sentence, `nothing within ${timeoutMs} ms`),
      timeoutMs,
    );
    current.questions.set(id, { absent, timer, resolve, reject });
    const text = JSON.stringify({ ...parameters, id, command, api_version: API_VERSION });
    if (current.socket.readyState === WebSocket.OPEN) current.socket.send(text);
    else current.waiting.push(text);
  });
}

function connect(server: Server): Connection {
  const { url, headers } = server;
  const socket = new WebSocket(url, { headers });
  const opened: Connection = { socket, questions: new Map(), waiting: [] };
  server.connection = opened;
  socket.addEventListener('open', () => {
    for (const text of opened.waiting.splice(0)) socket.send(text);
    server.lastId += 1;
    socket.send(JSON.stringify({ id: server.lastId, command: 'subscribe', streams: ['ledger'] }));
  });
  socket.addEventListener('message', ({ data }) => receive(server, opened, data));
  socket.addEventListener('error', () => drop(server, opened, 'the server cannot be reached'));
  socket.addEventListener('close', () => drop(server, opened, 'the server closed the connection'));
  return opened;
}

/** Everything asked over it fails; the next question opens another. */
function drop(server: Server, dropped: Connection, sentence: string, reason?: string): void {
  if (server.connection === dropped) server.connection = undefined;
  for (const { timer, reject } of dropped.questions.values()) {
    clearTimeout(timer);
    reject(nodeOutage(server.what, sentence, reason));
  }
  dropped.questions.clear();
  dropped.socket.close();
}

function receive(server: Server, from: Connection, data: unknown): void {
  if (typeof data === 'string' && data.length > server.mostAnswerBytes) {
    refuseLong(server, from, data);
    return;
  }
  const answer = readAnswer(data);
  if (typeof answer === 'string') drop(server, from, answer);
  else if (answer.type === 'ledgerClosed') server.listener();
  else if (answer.type === 'response') settle(server, from, answer);
}

/** The message, or the sentence why it cannot be one. */
function readAnswer(data: unknown): Fields | string {
  if (typeof data !== 'string') return "the server's answer is no text";
  return parse(data) ?? "the server's answer is no JSON";
}

function refuseLong(server: Server, from: Connection, text: string): void {
  const sentence = `an answer of the server exceeds ${server.mostAnswerBytes} bytes`;
  const id = idAtEnds(text);
  const question = id === undefined ? undefined : from.questions.get(id);
  if (id === undefined || question === undefined) {
    drop(server, from, sentence);
    return;
  }
  from.questions.delete(id);
  clearTimeout(question.timer);
  question.reject(new AnswerTooLong(server.what, sentence, text.length));
}

function settle(
  { what }: Server,
  { questions }: Connection,
  { id, status, result, error }: Fields,
): void {
  const question = typeof id === 'number' ? questions.get(id) : undefined;
  if (typeof id !== 'number' || question === undefined) return;
  questions.delete(id);
  clearTimeout(question.timer);
  if (status === 'success' && isFields(result)) question.resolve(result);
  else if (status === 'error' && question.absent.includes(String(error))) {
    question.resolve(undefined);
  } else question.reject(refusedBy(what, error));
}

/**
 * The number of the question: servers write it at the begin (rippled) or at the end (Clio) of the
 * answer. Within a text quotation marks have a stroke before them, so no payer can write it.
 */
function idAtEnds(text: string): number | undefined {
  const ends = `${text.slice(0, 200)} ${text.slice(-200)}`;
  const found = [...ends.matchAll(/"id":\s?(\d{1,15})(?=[,}\s])/g)];
  return found.length === 1 ? Number(found[0]?.[1]) : undefined;
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Error codes are words of the API; anything else is not repeated. */
function refusedBy(what: string, error: unknown): Outage {
  const code = typeof error === 'string' && /^[A-Za-z0-9_]{1,40}$/.test(error) ? error : undefined;
  if (code === 'slowDown' || code === 'tooBusy') {
    return nodeOutage(what, 'the server has too many questions from us', code);
  }
  if (code === 'lgrNotFound' || code === 'lgrIdxMalformed' || code === 'lgrIdxsInvalid') {
    return nodeOutage(what, 'the server does not have the ledgers that are needed', code);
  }
  return nodeOutage(what, 'the server refuses', code ?? 'an answer without a result');
}
