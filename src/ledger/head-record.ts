// The head of the chain of seals, written where whoever owns the database does not reach: a file
// beside the key file, synced and replaced whole, and where one is set a second file that is only
// ever appended to and may lie on another mount. A chain that was cut, recomputed or removed, and a
// database restored to an older state, no longer holds what was written. Such a database never
// overwrites the record: a person does (`ledger verify --accept`).
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { systemRandom } from '#base/random.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { findSealHead, LEDGER_SEAL, type SealHead } from './seal-entries.ts';

export type HeadPlaces = {
  /** Holds the last head, and nothing else. */
  readonly file: string;
  /** Holds every head; undefined where none is set. */
  readonly appendTo: string | undefined;
};

type WrittenHead = SealHead & { readonly writtenAt: string };

const TAIL_BYTES = 4096;
/** Accepted by a person of a database without a seal: it was made before the first one. */
const NOTHING_SEALED = { number: 0n, lastEntry: 0n, hash: '0'.repeat(64) };

/** What was written last there; undefined when nothing was. @throws when it is not one of ours. */
export function readHead(file: string): WrittenHead | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file).subarray(-TAIL_BYTES).toString('utf8');
  // An incomplete line at the end was left by a crash; the lines before it count.
  const line = text.split('\n').slice(0, -1).at(-1);
  if (line === undefined || line === '') return undefined;
  const [, number, lastEntry, hash, writtenAt] =
    /^seal (\d{1,18}) entry (\d{1,18}) head ([0-9a-f]{64}) at (\S{1,40})$/.exec(line) ?? [];
  if (number === undefined || lastEntry === undefined || !hash || !writtenAt) {
    throw new Error(`${file} holds no head of a ledger`);
  }
  return { number: BigInt(number), lastEntry: BigInt(lastEntry), hash, writtenAt };
}

/** One sentence for each place whose head the database does not hold. */
export async function checkHeads(reader: Reader, places: HeadPlaces): Promise<string[]> {
  const faults: string[] = [];
  for (const file of filesOf(places)) {
    const written = readHead(file);
    const fault = written && (await headFault(reader, written));
    if (fault !== undefined) faults.push(`L11: ${fault} (${file})`);
  }
  return faults;
}

async function headFault(reader: Reader, written: WrittenHead): Promise<string | undefined> {
  if (written.number === NOTHING_SEALED.number) return undefined;
  const seal = await LEDGER_SEAL.find(reader, sql`where number = ${written.number}`);
  if (seal?.hash.toHex() === written.hash) return undefined;
  if (seal !== undefined) {
    return (
      `seal ${written.number} is not the one written at ${written.writtenAt}: ` +
      'the chain was made anew'
    );
  }
  const head = await findSealHead(reader);
  const end = head === undefined ? 'nothing is sealed' : `the chain ends at seal ${head.number}`;
  return (
    `${end}, older than the head written at ${written.writtenAt}, which was seal ` +
    `${written.number}: was a backup restored, or were seals removed?`
  );
}

/** A sentence when no seal has this hash, else nothing. */
export async function checkHash(reader: Reader, hash: string): Promise<string[]> {
  const found = await reader.query(sql`
    select 1 from ledger_seal where hash = ${Uint8Array.fromHex(hash)}`);
  return found.length > 0 ? [] : [`L11: no seal has the head ${hash}`];
}

/**
 * Writes the head down in each place that holds an older one of the same chain. Any number of
 * processes may do it.
 * @throws Error with a sentence when a place holds what the database does not.
 */
export async function recordHead(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  places: HeadPlaces,
  { accept = false } = {},
): Promise<void> {
  const head = await findSealHead(db);
  const faults = accept ? [] : await checkHeads(db, places);
  if (faults.length > 0) throw new Error(faults.join('; '));
  const isHeld = filesOf(places).some((file) => readHead(file) !== undefined);
  if (head === undefined && !(accept && isHeld)) return;
  const { number, lastEntry, hash } = head ?? NOTHING_SEALED;
  const line = `seal ${number} entry ${lastEntry} head ${hash} at ${clock.now()}\n`;
  const isNew = (file: string) => readHead(file)?.hash !== hash;
  if (isNew(places.file)) replaceFile(places.file, line, newId(systemRandom));
  if (places.appendTo !== undefined && isNew(places.appendTo)) appendLine(places.appendTo, line);
}

function filesOf({ file, appendTo }: HeadPlaces): string[] {
  return appendTo === undefined ? [file] : [file, appendTo];
}

/** `nameOfDraft`: another one in each process that may do it at the same time. */
export function replaceFile(file: string, text: string, nameOfDraft: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${nameOfDraft}`;
  writeSynced(draft, 'w', text);
  renameSync(draft, file);
  const directory = openSync(dirname(file), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

/**
 * What stands in the file already stays. If a crash left an incomplete line, ours begins on a new
 * one.
 */
function appendLine(file: string, text: string): void {
  const isBroken =
    existsSync(file) && statSync(file).size > 0 && readFileSync(file).at(-1) !== 0x0a;
  writeSynced(file, 'a', isBroken ? `\n${text}` : text);
}

function writeSynced(file: string, flag: 'a' | 'w', text: string): void {
  const descriptor = openSync(file, flag, 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
