// Several files as one, written while they are made (ZIP, PKWARE APPNOTE 6.3). Each file is in
// memory while it is written, and the names of all. Plain ZIP has room for 65,535 files and 4 GB.

import { crc32, deflateRawSync } from 'node:zlib';
import { assert } from '#base/assert.ts';

const FILES_MOST = 0xff_ff;
const BYTES_MOST = 0xff_ff_ff_ff;
/** 2.0: deflated. */
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x08_00;
const DEFLATED = 8;
const FILE = Buffer.from('PK\x03\x04', 'latin1');
const LISTED = Buffer.from('PK\x01\x02', 'latin1');
const END = Buffer.from('PK\x05\x06', 'latin1');

type Entry = { readonly head: Buffer; readonly name: Buffer; readonly offset: number };

/** `at`: when they were made, as UTC. */
export async function* zipFile(
  files: AsyncIterable<{ readonly name: string; readonly text: string }>,
  at: Temporal.Instant,
): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = [];
  let offset = 0;
  for await (const { name: named, text } of files) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const name = Buffer.from(named);
    const head = headOf(at, name, content, packed);
    entries.push({ head, name, offset });
    const part = Buffer.concat([FILE, head, name, packed]);
    offset += part.length;
    assert(entries.length <= FILES_MOST && offset <= BYTES_MOST, 'more than a ZIP holds');
    yield part;
  }
  const directory = Buffer.concat(entries.map(directoryEntry));
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  yield Buffer.concat([directory, END, end]);
}

/** What stands before a file and in the directory alike. */
function headOf(at: Temporal.Instant, name: Buffer, content: Buffer, packed: Buffer): Buffer {
  const { year, month, day, hour, minute, second } = at.toZonedDateTimeISO('UTC');
  const head = Buffer.alloc(26);
  head.writeUInt16LE(VERSION, 0);
  head.writeUInt16LE(FLAGS, 2);
  head.writeUInt16LE(DEFLATED, 4);
  head.writeUInt16LE((hour << 11) | (minute << 5) | (second >> 1), 6);
  head.writeUInt16LE(((year - 1980) << 9) | (month << 5) | day, 8);
  head.writeUInt32LE(crc32(content), 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt16LE(name.length, 22);
  return head;
}

function directoryEntry({ head, name, offset }: Entry): Buffer {
  const made = Buffer.alloc(2);
  made.writeUInt16LE(VERSION, 0);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([LISTED, made, head, rest, name]);
}
