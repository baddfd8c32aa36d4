// A collector of traces on loopback: takes OTLP over HTTP as JSON, strictly, and keeps the spans.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CollectedSpan = {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** '' for the first of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFailed: boolean;
};

export type TraceCollector = {
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** All that came, as it came. */
  text(): string;
  headers(): readonly IncomingHttpHeaders[];
  /** Answers 503 from now on. */
  fail(): void;
  close(): Promise<void>;
};

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number };
type Attribute = { key: string; value: Value };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number; message?: string };
};
type Posted = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: Span[] }[];
  }[];
};

export async function openTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let isFailing = false;
  const server = createServer((request, response) => {
    const take = async () => {
      const text = await readAll(request);
      assert.deepEqual([request.method, request.url], ['POST', '/v1/traces']);
      assert.match(request.headers['content-type'] ?? '', /^application\/json/);
      headers.push(request.headers);
      if (isFailing) return void response.writeHead(503).end('a word of the collector');
      texts.push(text);
      spans.push(...readSpans(JSON.parse(text) as Posted));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    take().catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => texts.join('\n'),
    headers: () => headers,
    fail() {
      isFailing = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function readSpans({ resourceSpans }: Posted): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => readSpan(String(valuesOf(resource)['service.name']), span)),
    ),
  );
}

function readSpan(service: string, span: Span): CollectedSpan {
  const { traceId, spanId, parentSpanId = '', name, kind, status } = span;
  assert.match(traceId, /^[\da-f]{32}$/);
  assert.match(spanId, /^[\da-f]{16}$/);
  assert.match(parentSpanId, /^(?:[\da-f]{16})?$/);
  assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), name);
  const isFailed = status.code === 2;
  return {
    service,
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    attributes: valuesOf(span),
    isFailed,
  };
}

function valuesOf(holder: { attributes: Attribute[] }): Record<string, string | number> {
  const pairs = holder.attributes.map(({ key, value }): [string, string | number] => {
    const { stringValue, intValue, doubleValue } = value;
    const number = intValue ?? doubleValue;
    return [key, stringValue ?? (number === undefined ? '' : Number(number))];
  });
  return Object.fromEntries(pairs);
}
