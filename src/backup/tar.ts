// The archive inside a backup is a tar (POSIX ustar), so that `age -d | zstd -d | tar x` opens it
// without us. Entries are small: a table is many files, each of whole rows.

import { Refusal } from '#base/refusal.ts';

export type TarEntry = { readonly name: string; readonly bytes: Uint8Array };

const BLOCK = 512;
const NAME_BYTES_MOST = 100;
/** Nothing we write comes near. */
const ENTRY_BYTES_MOST = 256_000_000;

/** Header, bytes and padding of one entry. */
export function tarEntry({ name, bytes }: TarEntry, modifiedAt: Temporal.Instant): Uint8Array[] {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > NAME_BYTES_MOST) throw new RangeError(`${name} is too long a name`);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
  header.write(name, 0);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes.length, 12), 124);
  header.write(octal(Math.trunc(modifiedAt.epochMilliseconds / 1000), 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)}\u0000 `, 148);
  const rest = bytes.length % BLOCK;
  return rest === 0 ? [header, bytes] : [header, bytes, Buffer.alloc(BLOCK - rest)];
}

/** Two empty blocks. */
export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK);

/** @throws Refusal `backup_damaged` when it is no archive, or does not end as one. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const take = reader(source);
  for (;;) {
    const header = await take(BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const size = sizeOf(header);
    const bytes = await take(size);
    await take((BLOCK - (size % BLOCK)) % BLOCK);
    const name = header.toString('utf8', 0, NAME_BYTES_MOST).replace(/\0.*$/s, '');
    yield { name, bytes };
  }
  // To its end: what encrypts tells only there that nothing was cut off.
  for await (const chunk of take.rest()) {
    if (chunk.some((byte) => byte !== 0)) throw damaged('it goes on behind its end');
  }
}

function sizeOf(header: Buffer): number {
  const said = Number.parseInt(header.toString('latin1', 148, 156), 8);
  header.fill(' ', 148, 156);
  const size = header.toString('latin1', 124, 136).replace(/[\0 ]+$/, '');
  const bytes = /^[0-7]{1,11}$/.test(size) ? Number.parseInt(size, 8) : -1;
  if (said !== header.reduce((total, byte) => total + byte, 0) || bytes < 0) {
    throw damaged('what should be the head of a file in it is none');
  }
  if (bytes > ENTRY_BYTES_MOST) throw damaged('a file in it is larger than any we write');
  return bytes;
}

function reader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let waiting: Uint8Array = new Uint8Array();
  async function take(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (waiting.length === 0) {
        const { done, value } = await iterator.next();
        if (done === true) throw damaged('it ends too early');
        waiting = value;
      }
      const part = waiting.subarray(0, missing);
      waiting = waiting.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }
  async function* rest(): AsyncGenerator<Uint8Array> {
    yield waiting;
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) return;
      yield value;
    }
  }
  return Object.assign(take, { rest });
}

export function damaged(how: string, cause?: unknown): Refusal {
  return new Refusal('conflict', 'backup_damaged', `the backup is damaged: ${how}`, { cause });
}
