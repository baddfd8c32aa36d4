// The part of the Model Context Protocol that a server of tools needs, over lines of JSON-RPC 2.0
// (modelcontextprotocol.io/specification, revisions 2024-11-05 to 2025-11-25). Guarantees: every
// request is answered once, in the order in which answers are ready; nothing but messages is
// written; what is no message is answered as the standard says and ends nothing, but a line of more
// than 4 MiB ends the input.

import type { Json } from './remote-client.ts';

/** What a tool takes, as JSON Schema of an object. */
type InputSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
};

export type McpTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly isReadOnly: boolean;
  /** Gives text. @throws whatever the model is told as a failure of the tool */
  call(input: Json): Promise<string>;
};

type McpServer = {
  readonly name: string;
  readonly version: string;
  /** For the model: what this is for. */
  readonly instructions: string;
  readonly tools: readonly McpTool[];
};

/** Newest first. */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const LINE_MOST = 4 * 1024 * 1024;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

type Id = string | number;

/** Serves until the input ends. `write` gets one line without its end. */
export async function serveMcp(
  server: McpServer,
  input: AsyncIterable<string | Uint8Array>,
  write: (line: string) => void,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(input)) {
    const answering = answerLine(server, line).then((answer) => {
      if (answer !== undefined) write(JSON.stringify(answer));
    });
    running.add(answering);
    void answering.finally(() => running.delete(answering));
  }
  await Promise.all(running);
}

async function* linesOf(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of input) {
    rest += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
    if (rest.length > LINE_MOST) return;
  }
  if (rest.trim() !== '') yield rest;
}

async function answerLine(server: McpServer, line: string): Promise<object | undefined> {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failure(null, PARSE_ERROR, 'no JSON');
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return failure(null, INVALID_REQUEST, 'one message a line');
  }
  const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
  // An answer to nothing that was asked, or a notification: neither is answered.
  if (typeof method !== 'string' || id === undefined) return undefined;
  if (typeof id !== 'string' && typeof id !== 'number') {
    return failure(null, INVALID_REQUEST, 'the id must be a text or a number');
  }
  return answerRequest(server, id, method, (params ?? {}) as Json);
}

async function answerRequest(server: McpServer, id: Id, method: string, params: Json) {
  switch (method) {
    case 'initialize':
      return success(id, greeting(server, String(params.protocolVersion)));
    case 'ping':
      return success(id, {});
    case 'tools/list':
      return success(id, { tools: server.tools.map(toolView) });
    case 'tools/call': {
      const tool = server.tools.find(({ name }) => name === String(params.name));
      if (tool !== undefined) return success(id, await callTool(tool, params.arguments ?? {}));
      return failure(id, INVALID_PARAMS, `there is no tool ${params.name}`);
    }
    default:
      return failure(id, METHOD_NOT_FOUND, `${method} is not known here`);
  }
}

/** The revision that was asked for where it is known, else the newest that is. */
function greeting({ name, version, instructions }: McpServer, asked: string): object {
  return {
    protocolVersion: REVISIONS.includes(asked) ? asked : REVISIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name, version },
    instructions,
  };
}

function toolView({ name, title, description, inputSchema, isReadOnly }: McpTool): object {
  return { name, title, description, inputSchema, annotations: { readOnlyHint: isReadOnly } };
}

async function callTool(tool: McpTool, input: Json): Promise<object> {
  try {
    const { properties, required = [] } = tool.inputSchema;
    const missing = required.filter((name) => input[name] === undefined);
    const unknown = Object.keys(input).filter((name) => !Object.hasOwn(properties, name));
    if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
    if (unknown.length > 0) throw new Error(`not known: ${unknown.join(', ')}`);
    return { content: [{ type: 'text', text: await tool.call(input) }] };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { content: [{ type: 'text', text }], isError: true };
  }
}

function success(id: Id, result: object): object {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: Id | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
