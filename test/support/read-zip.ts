// The files of a ZIP by its directory, as a program finds them.

import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

/** By name. Whatever does not fit together fails. */
export function readZip(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22;
  assert.equal(bytes.readUInt32LE(end), 0x06_05_4b_50, 'the end of the directory');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  assert.equal(at + bytes.readUInt32LE(end + 12), end, 'the directory reaches to its end');
  const files = new Map<string, string>();
  for (let number = 0; number < count; number += 1) {
    assert.equal(bytes.readUInt32LE(at), 0x02_01_4b_50);
    const [sum, packed, size] = [16, 20, 24].map((field) => bytes.readUInt32LE(at + field));
    const length = bytes.readUInt16LE(at + 28);
    const name = bytes.subarray(at + 46, at + 46 + length).toString();
    const begin = bytes.readUInt32LE(at + 42);
    assert.equal(bytes.readUInt32LE(begin), 0x04_03_4b_50);
    const data = begin + 30 + bytes.readUInt16LE(begin + 26) + bytes.readUInt16LE(begin + 28);
    const content = inflateRawSync(bytes.subarray(data, data + (packed ?? 0)));
    assert.equal(content.length, size);
    assert.equal(crc32(content), sum);
    files.set(name, content.toString());
    at += 46 + length;
  }
  assert.equal(at, end);
  return files;
}
