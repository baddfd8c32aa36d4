// The tar that a server makes of its files, written into a directory while it is read: a file may
// be a gigabyte. Everything that is neither a file nor a directory is refused, and every name that
// leads out of it.

import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '#base/refusal.ts';

const BLOCK = 512;

/** @throws Refusal `backup_damaged` */
export async function unpackFiles(
  source: AsyncIterable<Uint8Array>,
  directory: string,
): Promise<void> {
  let head = Buffer.alloc(0);
  let file: FileHandle | undefined;
  let [left, padding, isOver] = [0, 0, false];
  try {
    for await (const chunk of source) {
      let rest: Uint8Array = chunk;
      while (rest.length > 0 && !isOver) {
        if (left > 0) {
          const part = rest.subarray(0, left);
          await file?.write(part);
          [rest, left] = [rest.subarray(part.length), left - part.length];
          if (left === 0) {
            await file?.close();
            file = undefined;
          }
        } else if (padding > 0) {
          const skipped = Math.min(padding, rest.length);
          [rest, padding] = [rest.subarray(skipped), padding - skipped];
        } else {
          const part = rest.subarray(0, BLOCK - head.length);
          [head, rest] = [Buffer.concat([head, part]), rest.subarray(part.length)];
          if (head.length < BLOCK) break;
          const entry = readHead(head);
          head = Buffer.alloc(0);
          if (entry === undefined) isOver = true;
          else {
            file = await place(entry, directory);
            [left, padding] = [entry.size, (BLOCK - (entry.size % BLOCK)) % BLOCK];
          }
        }
      }
    }
  } finally {
    await file?.close();
  }
  if (left > 0 || head.length > 0) throw damaged('it ends too early');
}

type Entry = { readonly name: string; readonly size: number; readonly isDirectory: boolean };

/** Undefined: the end. */
function readHead(head: Buffer): Entry | undefined {
  if (head.every((byte) => byte === 0)) return undefined;
  const text = (from: number, to: number) => head.toString('utf8', from, to).replace(/\0.*$/s, '');
  const [name, prefix, kind] = [text(0, 100), text(345, 500), text(156, 157)];
  const size = Number.parseInt(text(124, 136), 8);
  const path = prefix === '' ? name : `${prefix}/${name}`;
  const isSafe = path !== '' && !path.startsWith('/') && !path.split(/[/\\]/).includes('..');
  if (!isSafe || !/^[05]?$/.test(kind) || !(size >= 0)) {
    throw damaged(`it holds "${path}", which is neither a file nor a directory of a server`);
  }
  return { name: path, size: kind === '5' ? 0 : size, isDirectory: kind === '5' };
}

/** An empty file is whole when it was made. */
async function place(entry: Entry, directory: string): Promise<FileHandle | undefined> {
  const path = join(directory, entry.name);
  mkdirSync(entry.isDirectory ? path : dirname(path), { recursive: true, mode: 0o700 });
  if (entry.isDirectory) return undefined;
  const file = await open(path, 'w', 0o600);
  if (entry.size > 0) return file;
  await file.close();
  return undefined;
}

function damaged(how: string): Refusal {
  return new Refusal('conflict', 'backup_damaged', `the files of the server are damaged: ${how}`);
}
