// Where an operator looks at this process, and how he is known there.

import { resolve } from 'node:path';
import { Refusal } from '#base/refusal.ts';
import { readPrivateFile } from '#runtime/private-file.ts';
import { type AlertSettings, alertSettings } from './alert-settings.ts';

export type WatchSettings = {
  /** Undefined: nothing is served beside the pages and the API. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined;
  /** Whoever brings it is the operator; undefined: nobody is by a token. */
  readonly watchToken: string | undefined;
  /** Requests that have a line of the log, at the most. */
  readonly requestLinesASecond: number;
  readonly alerts: AlertSettings;
};

const TOKEN_BYTES_MOST = 1_024;
/** As long as nobody guesses it: 16 characters of hex are 64 bits. */
const TOKEN_LENGTH_LEAST = 16;

export function watchSettings(
  directory: string,
  faults: string[],
  text: (name: string) => string,
): WatchSettings {
  return {
    metrics: metricsPlace(text('METRICS_PORT'), text('METRICS_HOST'), faults),
    watchToken: readToken(directory, text('WATCH_TOKEN_FILE'), faults),
    requestLinesASecond: lines(text('LOG_REQUESTS'), faults),
    alerts: alertSettings(directory, faults, text),
  };
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
