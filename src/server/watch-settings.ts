// Where an operator looks at this process, and how he is known there.

import { resolve } from 'node:path';
import { Refusal } from '#base/refusal.ts';
import { isHttpUrl } from '#base/text.ts';
import { readPrivateFile } from '#runtime/private-file.ts';
import type { TraceSettings } from '#tracing/open-tracer.ts';
import { type AlertSettings, alertSettings } from './alert-settings.ts';

export type WatchSettings = {
  /** Undefined: nothing is served beside the pages and the API. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined;
  /** Whoever brings it is the operator; undefined: nobody is by a token. */
  readonly watchToken: string | undefined;
  /** Requests that have a line of the log, at the most. */
  readonly requestLinesASecond: number;
  /** Undefined: nothing is traced. */
  readonly traces: TraceSettings | undefined;
  /** How long it still serves after it was told to end and says that it is not ready. */
  readonly drainSeconds: number;
  /** How long a silent connection of a proxy in front is kept. */
  readonly proxyKeepAliveSeconds: number;
  readonly alerts: AlertSettings;
};

const TOKEN_BYTES_MOST = 1_024;
/** As long as nobody guesses it: 16 characters of hex are 64 bits. */
const TOKEN_LENGTH_LEAST = 16;
const DRAIN_SECONDS = { least: 0, most: 120 };
const KEEP_ALIVE_SECONDS = { least: 5, most: 3_600 };

export function watchSettings(
  directory: string,
  faults: string[],
  text: (name: string) => string,
): WatchSettings {
  return {
    metrics: metricsPlace(text('METRICS_PORT'), text('METRICS_HOST'), faults),
    watchToken: readToken(directory, text('WATCH_TOKEN_FILE'), faults),
    requestLinesASecond: lines(text('LOG_REQUESTS'), faults),
    traces: traceSettings(directory, faults, text),
    drainSeconds: seconds('DRAIN_SECONDS', DRAIN_SECONDS, faults, text),
    proxyKeepAliveSeconds: seconds('PROXY_KEEP_ALIVE_SECONDS', KEEP_ALIVE_SECONDS, faults, text),
    alerts: alertSettings(directory, faults, text),
  };
}

/** Where traces are posted to, below the address of the collector (OTLP over HTTP). */
const TRACES_PATH = '/v1/traces';
const HEADERS_BYTES_MOST = 8_192;

function traceSettings(
  directory: string,
  faults: string[],
  text: (name: string) => string,
): TraceSettings | undefined {
  const endpoint = text('OTEL_EXPORTER_OTLP_ENDPOINT');
  const share = text('OTEL_TRACES_SAMPLER_ARG');
  if (!/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/.test(share)) {
    faults.push(`OTEL_TRACES_SAMPLER_ARG: must be a share from 0 to 1, not "${share}"`);
  }
  const headers = traceHeaders(directory, text('OTEL_EXPORTER_OTLP_HEADERS_FILE'), faults);
  if (endpoint === '') return undefined;
  const url = isHttpUrl(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || url.username !== '' || url.search !== '' || url.hash !== '') {
    faults.push('OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https address without a user');
  }
  return {
    url: `${endpoint.replace(/\/+$/, '')}${TRACES_PATH}`,
    headers,
    share: Number(share),
  };
}

function traceHeaders(directory: string, path: string, faults: string[]): Record<string, string> {
  if (path === '') return {};
  try {
    const lines = readPrivateFile(resolve(directory, path), HEADERS_BYTES_MOST).split('\n');
    const pairs = lines
      .filter((line) => line.trim() !== '')
      .map((line) => /^\s*([\w-]+)\s*=\s*([\x20-\x7e]+?)\s*$/.exec(line));
    if (pairs.includes(null)) {
      faults.push('OTEL_EXPORTER_OTLP_HEADERS_FILE: must hold a line name=value for each header');
    }
    return Object.fromEntries(
      pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? '']])),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults.push(`OTEL_EXPORTER_OTLP_HEADERS_FILE: ${error.details.join('; ')}`);
    return {};
  }
}

function seconds(
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
  faults: string[],
  read: (name: string) => string,
): number {
  const text = read(name);
  const number = Number(text);
  if (/^\d{1,4}$/.test(text) && number >= least && number <= most) return number;
  faults.push(`${name}: must be a whole number from ${least} to ${most}, not "${text}"`);
  return least;
}

function lines(text: string, faults: string[]): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  faults.push(`LOG_REQUESTS: must be a whole number of lines a second, 0 for none, not "${text}"`);
  return 0;
}

function metricsPlace(port: string, host: string, faults: string[]): WatchSettings['metrics'] {
  if (port === 'off') return undefined;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    faults.push(`METRICS_PORT: must be a port or off, not "${port}"`);
    return undefined;
  }
  return { port: Number(port), host };
}

function readToken(directory: string, path: string, faults: string[]): string | undefined {
  if (path === '') return undefined;
  try {
    const token = readPrivateFile(resolve(directory, path), TOKEN_BYTES_MOST).trim();
    if (token.length < TOKEN_LENGTH_LEAST || !/^[\x21-\x7e]+$/.test(token)) {
      faults.push(
        `WATCH_TOKEN_FILE: must hold one word of ${TOKEN_LENGTH_LEAST} or more characters`,
      );
    }
    return token;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults.push(`WATCH_TOKEN_FILE: ${error.details.join('; ')}`);
    return undefined;
  }
}
