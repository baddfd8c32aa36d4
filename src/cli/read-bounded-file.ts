import { open } from 'node:fs/promises';
import { Refusal } from '#base/refusal.ts';

/**
 * The file, or one byte more than `bytesMax` of it, so that whoever reads it can tell that it is
 * too large: a device or a film is not read to its end. @throws Refusal of the field
 */
export async function readBoundedFile(
  path: string,
  bytesMax: number,
  field: string,
): Promise<Uint8Array> {
  try {
    await using file = await open(path);
    const buffer = new Uint8Array(bytesMax + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Refusal('invalid', field, [`${path} cannot be read: ${reason}`]);
  }
}

/** The same of a file, or of what is piped in where it is called `-`. @throws Refusal */
export async function readBoundedInput(
  path: string,
  bytesMax: number,
  field: string,
): Promise<Uint8Array> {
  if (path !== '-') return readBoundedFile(path, bytesMax, field);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of process.stdin) {
    parts.push(Buffer.from(part));
    length += part.length;
    if (length > bytesMax) break;
  }
  return Buffer.concat(parts);
}
