// The signer's append-only log: a line for each signature, refusal and approval. Guarantees: a line
// is on disk before its signature leaves the process; each line names the digest of the one before
// it, so that anybody can see whether lines were changed, moved or taken out; each has a seal that
// only the key in the key file makes, so that nobody else can write one. Not guaranteed: that
// lines are missing at the end; who remembers the digest of the last line (`head`) sees that.

import { createHmac } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { requirePrivate, syncDirectory } from '#runtime/private-file.ts';
import { addToHistory, type History, type LineAt, newHistory } from './history.ts';
import { factOf, type SignerLogEntry } from './log-entry.ts';
import { sha256Text } from './sign-order.ts';

export type SignerLog = {
  readonly history: History;
  /** On disk when it returns. @throws Outage; nothing can be written from then on. */
  append(entry: SignerLogEntry): void;
  /** The entry that stands there. */
  read(line: LineAt): SignerLogEntry;
  head(): LogHead;
  close(): void;
};

/** How many lines there are, and the digest of the last one. */
type LogHead = { readonly lines: number; readonly digest: string };

export type LogLine = {
  readonly number: number;
  readonly at: string;
  readonly previous: string;
  readonly entry: SignerLogEntry;
};

type Reading = LogHead & { readonly end: number };

const NOTHING_BEFORE = '0'.repeat(64);
const SEAL_PATTERN = /^(.*),"seal":"([0-9a-f]{64})"\}$/s;
const CHUNK_BYTES = 1024 * 1024;
/** No line is longer: a request is not. */
const LINE_BYTES_MOST = 8 * CHUNK_BYTES;

/** @throws Refusal when a line was changed, or the file is open to others. */
export function openSignerLog(path: string, logKey: string, clock: Clock): SignerLog {
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT, 0o600);
  requirePrivate(path, file);
  const history = newHistory();
  let { lines, digest, end } = readLines(path, file, logKey, ({ at, entry }, line) => {
    addToHistory(history, factOf(entry), Temporal.Instant.from(at), line);
  });
  // A line that was cut off by a crash never left the process: its signature did not either.
  ftruncateSync(file, end);
  fsyncSync(file);
  syncDirectory(dirname(path));
  let failure: unknown;
  return {
    history,
    append(entry) {
      if (failure !== undefined) throw new Outage('the log of the signer', { cause: failure });
      const at = clock.now();
      const line = { number: lines + 1, at: at.toString(), previous: digest, entry };
      const text = sealLine(JSON.stringify(line), logKey);
      const bytes = Buffer.from(`${text}\n`);
      try {
        writeWhole(file, bytes);
        fsyncSync(file);
      } catch (error) {
        // What is on disk now is not known: whoever starts it again reads that.
        failure = error;
        throw new Outage('the log of the signer', { cause: error });
      }
      addToHistory(history, factOf(entry), at, { start: end, bytes: bytes.length });
      lines += 1;
      digest = sha256Text(text);
      end += bytes.length;
    },
    read({ start, bytes }) {
      const buffer = Buffer.alloc(bytes);
      readSync(file, buffer, 0, bytes, start);
      return (JSON.parse(buffer.toString('utf8')) as LogLine).entry;
    },
    head: () => ({ lines, digest }),
    close: () => closeSync(file),
  };
}

/**
 * Every line, in order. Without the key of the log only its chain is proven.
 * @throws Refusal that names the first line that is wrong.
 */
export function verifySignerLog(
  path: string,
  logKey: string | undefined,
  onLine: (line: LogLine) => void,
): LogHead {
  const file = openSync(path, 'r');
  try {
    const { lines, digest } = readLines(path, file, logKey, onLine);
    return { lines, digest };
  } finally {
    closeSync(file);
  }
}

function readLines(
  path: string,
  file: number,
  logKey: string | undefined,
  onLine: (line: LogLine, at: LineAt) => void,
): Reading {
  let [lines, digest, end] = [0, NOTHING_BEFORE, 0];
  let rest = Buffer.alloc(0);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const count = readSync(file, chunk, 0, CHUNK_BYTES, end + rest.length);
    if (count === 0) return { lines, digest, end };
    rest = Buffer.concat([rest, chunk.subarray(0, count)]);
    for (let stop = rest.indexOf(10); stop >= 0; stop = rest.indexOf(10)) {
      const text = rest.toString('utf8', 0, stop);
      const line = readLine(text, logKey);
      if (line?.number !== lines + 1 || line.previous !== digest) {
        throw changed(path, lines + 1);
      }
      onLine(line, { start: end, bytes: stop + 1 });
      lines += 1;
      digest = sha256Text(text);
      end += stop + 1;
      rest = rest.subarray(stop + 1);
    }
    if (rest.length > LINE_BYTES_MOST) throw changed(path, lines + 1);
  }
}

function readLine(text: string, logKey: string | undefined): LogLine | undefined {
  const [, body, seal] = SEAL_PATTERN.exec(text) ?? [];
  if (body === undefined) return undefined;
  if (logKey !== undefined && sealOf(`${body}}`, logKey) !== seal) return undefined;
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return undefined;
  }
}

function sealLine(body: string, logKey: string): string {
  return `${body.slice(0, -1)},"seal":"${sealOf(body, logKey)}"}`;
}

function sealOf(body: string, logKey: string): string {
  return createHmac('sha256', Buffer.from(logKey, 'hex')).update(body).digest('hex');
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}

function changed(path: string, line: number): Refusal {
  return new Refusal('conflict', 'signer_log_changed', [
    `${path}: line ${line} is not what the signer wrote; nothing is signed until somebody has ` +
      'found out why (docs/operate/signer.md)',
  ]);
}
