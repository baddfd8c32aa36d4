// Increments of a backup: the files of the server once (link 0), and then its log (WAL), each link
// from where the one before it ended. All of a chain is needed: what is missing or was changed in
// the middle ends it there. A link is two files, sealed and, written after it, what is said of it.

import { z } from 'zod';
import { type BackupPlace, SEALED, SHOWN } from '#backup/backup-place.ts';
import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';

const place = z.string().regex(/^\d{1,20}$/);

const link = z.object({
  format: z.literal(1),
  chain: z.string().regex(/^quittance-wal-\d{8}T\d{6}Z$/),
  number: z.number().int().nonnegative(),
  createdAt: z.string(),
  /** Major version: no other one reads these files. */
  postgres: z.number().int(),
  systemId: z.string(),
  /** Null in links of versions that did not say it. */
  installationId: z.string().nullable().default(null),
  timeline: z.number().int().positive(),
  segmentBytes: z.number().int().positive(),
  database: z.string(),
  role: z.string(),
  /** Of the log: where it goes on, and how far it goes. */
  from: place,
  to: place,
  /** Of link 0: the files are of one moment once the log was read to here. */
  consistentAt: place.nullable(),
  /** SHA-256 of the sealed file before. */
  previous: z.string().nullable(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type Link = z.output<typeof link>;

const FILE = /^(quittance-wal-\d{8}T\d{6}Z)\.(\d{5})\.json$/;

export function fileOf({ chain, number }: Pick<Link, 'chain' | 'number'>, end: string): string {
  return `${chain}.${String(number).padStart(5, '0')}${end}`;
}

/** By name, the oldest chain first; the links of each in order, as far as they are there. */
export async function listChains(from: BackupPlace): Promise<ReadonlyMap<string, Link[]>> {
  const files = (await from.list()).sort();
  const all = new Set(files);
  const chains = new Map<string, Link[]>();
  for (const file of files) {
    const [, name] = FILE.exec(file) ?? [];
    if (name === undefined) continue;
    const links = chains.get(name) ?? [];
    chains.set(name, links);
    if (!all.has(sealedOf(file))) continue;
    links.push(await readLink(from, file));
  }
  return chains;
}

/** Of the newest chain what is asked of it often: both ends, read, and the rest by name alone. */
export type NewestChain = {
  readonly base: Link;
  readonly last: Link;
  /** Why it cannot go on; undefined when it can. */
  readonly gap: string | undefined;
};

export async function findNewestChain(from: BackupPlace): Promise<NewestChain | undefined> {
  const files = (await from.list()).sort();
  const name = FILE.exec(files.findLast((file) => FILE.test(file)) ?? '')?.[1];
  if (name === undefined) return undefined;
  const all = new Set(files);
  const whole = files.filter((file) => FILE.exec(file)?.[1] === name && all.has(sealedOf(file)));
  const [first, end] = [whole[0], whole.at(-1)];
  if (first === undefined || end === undefined) return undefined;
  const base = await readLink(from, first);
  const last = first === end ? base : await readLink(from, end);
  const missing = whole.findIndex((file, index) => Number(FILE.exec(file)?.[2]) !== index);
  const gap = missing < 0 ? findStranger(base, last) : `increment ${missing} is missing`;
  return { base, last, gap };
}

function sealedOf(file: string): string {
  return file.slice(0, -SHOWN.length) + SEALED;
}

async function readLink(from: BackupPlace, file: string): Promise<Link> {
  const parts: Uint8Array[] = [];
  for await (const part of await from.read(file)) parts.push(part);
  return parseLink(file, Buffer.concat(parts).toString('utf8'));
}

function parseLink(file: string, text: string): Link {
  try {
    return link.parse(JSON.parse(text));
  } catch (error) {
    const sentence = `${file} is not what this program writes beside an increment`;
    throw new Refusal('conflict', 'backup_damaged', sentence, { cause: error });
  }
}

function findStranger(
  base: Link,
  { number, systemId, timeline }: Pick<Link, 'number' | 'systemId' | 'timeline'>,
): string | undefined {
  if (systemId === base.systemId && timeline === base.timeline) return undefined;
  return `increment ${number} is of another server than number 0`;
}

/** Why these are no whole chain, in one sentence; undefined when they are. */
export function findGap(links: readonly Link[]): string | undefined {
  const [base] = links;
  if (base === undefined || base.number !== 0)
    return 'increment 0, which all others rest on, is missing';
  for (const [index, { number, from, previous, systemId, timeline }] of links.entries()) {
    if (number !== index) {
      const kept = `before it are ${counted(index, 'increment')} that fit`;
      return `increment ${index} is missing, and number ${number} needs it; ${kept}`;
    }
    const before = links[index - 1];
    if (before === undefined) continue;
    if (previous !== before.sha256 || from !== before.to) {
      return `increment ${number} does not follow number ${before.number} that lies beside it`;
    }
    const other = findStranger(base, { number, systemId, timeline });
    if (other !== undefined) return other;
  }
  const last = links.at(-1);
  if (last === undefined || BigInt(last.to) < BigInt(base.consistentAt ?? 0)) {
    return 'the increment is missing with which its files are of one moment';
  }
  return undefined;
}
