// A name server of our own on loopback, over UDP (RFC 1035): TXT records that a test sets, NXDOMAIN
// for every other name, or whatever else it is told to answer.
import { createSocket } from 'node:dgram';

const NO_ERROR = 0;
export const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;
export const REFUSED = 5;

export type DnsServer = {
  /** `address:port`, for Resolver.setServers. */
  readonly address: string;
  /** TXT records by name, each as its parts; no records but a name there: an empty list. */
  readonly records: Map<string, readonly (readonly string[])[]>;
  /** Names asked for, in order. */
  readonly asked: string[];
  /** Undefined: as the records say. `silent`: no answer at all. */
  behave(how: number | 'silent' | undefined): void;
  close(): Promise<void>;
};

export async function openDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const records: DnsServer['records'] = new Map();
  const asked: string[] = [];
  let behaviour: number | 'silent' | undefined;
  socket.on('message', (query, { port, address }) => {
    const { name, question } = readQuestion(query);
    asked.push(name);
    if (behaviour === 'silent') return;
    const found = records.get(name);
    const code = behaviour ?? (found === undefined ? NO_SUCH_NAME : NO_ERROR);
    const answers = (code === NO_ERROR ? (found ?? []) : []).map(textAnswer);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    asked,
    behave(how) {
      behaviour = how;
    },
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

function readQuestion(query: Buffer): { name: string; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), question: query.subarray(12, at + 5) };
}

/** Of the name asked for (a pointer to it), class IN, for a minute. */
function textAnswer(parts: readonly string[]): Buffer {
  const data = Buffer.concat(
    parts.map((part) => Buffer.concat([Buffer.of(Buffer.byteLength(part)), Buffer.from(part)])),
  );
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
