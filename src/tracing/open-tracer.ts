// A tracer that tells a collector over OTLP. The libraries are loaded when it is opened, so that a
// service without a collector has neither them nor what they cost. Guarantees: whoever is traced
// never waits for the collector; what cannot be told is let go and said in the log; of a fault the
// collector learns its name, never its text.

import type { Log } from '#base/log.ts';
import { currentTrace, type Span, type SpanStart, type Tracer, withinTrace } from './trace.ts';

export type TraceSettings = {
  /** Where traces are posted to. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of requests and of what happens by itself, from 0 to 1; what follows goes with it. */
  readonly share: number;
};

const EVERY_MS = 1_000;
const PATIENCE_MS = 3_000;
/** Spans that wait; above it the newest are let go. */
const WAITING_MOST = 4_096;
const AT_ONCE = 512;
const SUCCESS = 0;

export async function openTracer(
  { url, headers, share }: TraceSettings,
  { log, version }: { readonly log: Log; readonly version: string },
): Promise<Tracer> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: PATIENCE_MS });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'quittance', 'service.version': version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(saidOf(exporter, log), {
        scheduledDelayMillis: EVERY_MS,
        exportTimeoutMillis: PATIENCE_MS,
        maxQueueSize: WAITING_MOST,
        maxExportBatchSize: AT_ONCE,
      }),
    ],
  });
  return tracerOf(api, provider, { log, version });
}

type Api = typeof import('@opentelemetry/api');
type Sdk = typeof import('@opentelemetry/sdk-trace-base');
type Exporter = import('@opentelemetry/sdk-trace-base').SpanExporter;

/** The same, and what could not be sent is in the log. */
function saidOf(exporter: Exporter, log: Log): Exporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== SUCCESS) {
          // Its text may hold what the collector answered.
          const reason = result.error?.name ?? 'unknown';
          log.warn('traces could not be sent', { count: spans.length, reason });
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function tracerOf(
  { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }: Api,
  provider: InstanceType<Sdk['BasicTracerProvider']>,
  { log, version }: { readonly log: Log; readonly version: string },
): Tracer {
  const tracer = provider.getTracer('quittance', version);
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

  const start = ({ name, kind, attributes = {}, parent = currentTrace() }: SpanStart) => {
    const known = parent === undefined ? undefined : readTrace(parent);
    const context =
      known === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { ...known, isRemote: true });
    return tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, context);
  };
  return {
    async span(of, act) {
      const span = start(of);
      const fail = (kind: string) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute('error.type', kind);
      };
      const shown: Span = {
        rename: (name) => void span.updateName(name),
        set: (attributes) => void span.setAttributes({ ...attributes }),
        fail,
      };
      try {
        return await withinTrace(writeTrace(span.spanContext()), () => act(shown));
      } catch (error) {
        fail(error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        span.end();
      }
    },
    async close() {
      await provider
        .shutdown()
        .catch((error: unknown) => log.warn('the last traces were not sent', { error }));
    },
  };
}

type SpanPlace = {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
};

function writeTrace({ traceId, spanId, traceFlags }: SpanPlace): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString().padStart(2, '0')}`;
}

/** What is not of the form belongs to nothing. */
function readTrace(text: string): SpanPlace | undefined {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-0([01])$/.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number(flags) };
}
