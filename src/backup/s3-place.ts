// Storage that speaks the protocol of S3: five requests of it, signed (`sign-s3.ts`). What is
// written is sent in parts while it is made, so nothing of it lies on a disk of ours; a backup that
// fails leaves no object.

import { setTimeout as pause } from 'node:timers/promises';
import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { readPrivateFile } from '#runtime/private-file.ts';
import type { BackupPlace } from './backup-place.ts';
import { encodeS3, queryText, signS3 } from './sign-s3.ts';

export type S3Account = {
  /** `https://host`; the bucket is the first part of the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly keyId: string;
  readonly secretFile: string;
};

type BucketApp = { readonly clock: Clock; readonly s3: S3Account };

type Asked = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly file?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};

const SECRET_BYTES_MOST = 4_096;
const ANSWER_WITHIN_MS = 300_000;
const TRIES = 5;
const FIRST_PAUSE_MS = 500;
const PART_BYTES = 16_000_000;
/** There may be 10,000 parts, so they grow. */
const PARTS_OF_ONE_SIZE = 1_000;
const NOTHING = new Uint8Array();

export function openBucket(app: BucketApp, bucket: string, prefix: string): BackupPlace {
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const ask = (asked: Asked) => request(app, { ...asked, path: [bucket, folder, asked.file] });
  return {
    name: `s3://${bucket}/${folder}`,
    list: () => listKeys(ask, folder),
    async read(file) {
      const answer = await ask({ method: 'GET', file });
      return answer.body ?? ReadableStream.from([NOTHING]);
    },
    write: (file, source) => write(ask, file, source),
    async remove(file) {
      await drop(await ask({ method: 'DELETE', file }));
    },
  };
}

type Ask = (asked: Asked) => Promise<Response>;

async function listKeys(ask: Ask, folder: string): Promise<string[]> {
  const names: string[] = [];
  let token: string | undefined;
  do {
    const query: Record<string, string> = { 'list-type': '2', prefix: folder };
    if (token !== undefined) query['continuation-token'] = token;
    const answer = await elementOf(await ask({ method: 'GET', query }));
    const keys = childrenOf(answer, 'Contents').map((one) => textOf(one, 'Key') ?? '');
    names.push(...keys.map((key) => key.slice(folder.length)));
    token = textOf(answer, 'NextContinuationToken');
  } while (token !== undefined);
  return names;
}

async function write(ask: Ask, file: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  let upload: string | undefined;
  const tags: string[] = [];
  const send = async (part: Uint8Array) => {
    if (upload === undefined) {
      const made = await elementOf(await ask({ method: 'POST', file, query: { uploads: '' } }));
      upload = textOf(made, 'UploadId') ?? '';
    }
    const query = { partNumber: `${tags.length + 1}`, uploadId: upload };
    const answer = await ask({ method: 'PUT', file, query, body: part });
    tags.push(answer.headers.get('etag') ?? '');
    await drop(answer);
  };
  try {
    let waiting: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of source) {
      waiting.push(chunk);
      bytes += chunk.length;
      const most = PART_BYTES * 2 ** Math.floor(tags.length / PARTS_OF_ONE_SIZE);
      if (bytes < most) continue;
      await send(Buffer.concat(waiting));
      [waiting, bytes] = [[], 0];
    }
    const last = Buffer.concat(waiting);
    if (upload === undefined) {
      await drop(await ask({ method: 'PUT', file, body: last }));
      return;
    }
    if (last.length > 0) await send(last);
    await complete(ask, file, { upload, tags });
  } catch (error) {
    // What was sent would be paid for and seen by nobody.
    if (upload !== undefined) {
      const query = { uploadId: upload };
      await ask({ method: 'DELETE', file, query }).then(drop, () => undefined);
    }
    throw error;
  }
}

async function complete(
  ask: Ask,
  file: string,
  { upload, tags }: { readonly upload: string; readonly tags: readonly string[] },
): Promise<void> {
  const parts = tags.map((tag, index) => {
    const quoted = tag.replaceAll('"', '&quot;');
    return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${quoted}</ETag></Part>`;
  });
  const text = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  const query = { uploadId: upload };
  const answer = await ask({ method: 'POST', file, query, body: Buffer.from(text) });
  // It answers 200 before it knows, and says in the body what went wrong.
  const said = await elementOf(answer);
  if (said.name === 'Error') throw refuse(file, textOf(said, 'Code') ?? 'no reason given');
}

/** Again where the storage, or the way to it, may be better in a moment. */
async function request(
  { clock, s3 }: BucketApp,
  { method, path, query = {}, body = NOTHING }: Asked & { path: (string | undefined)[] },
): Promise<Response> {
  const [bucket, folder = '', file] = path;
  const url = new URL(s3.endpoint);
  const key = file === undefined ? '' : `/${folder}${file}`;
  url.pathname = `/${bucket}${key}`.split('/').map(encodeS3).join('/');
  url.search = queryText(Object.entries(query));
  const secret = readPrivateFile(s3.secretFile, SECRET_BYTES_MOST).trim();
  let failure: unknown;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (attempt > 0) await pause(FIRST_PAUSE_MS * 2 ** attempt);
    try {
      const headers = signS3({ ...s3, secret }, { method, url, body }, clock.now());
      const answer = await fetch(url, {
        ...{ method, headers, redirect: 'error' },
        ...(method === 'GET' || method === 'DELETE'
          ? {}
          : { body: body as Uint8Array<ArrayBuffer> }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      if (answer.ok) return answer;
      const said = await answer.text();
      const reason = `${answer.status} ${/<Code>([\w.]+)</.exec(said)?.[1] ?? answer.statusText}`;
      if (answer.status < 500 && answer.status !== 429) throw refuse(url.pathname, reason);
      failure = new Error(reason);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      failure = error;
    }
  }
  throw new Outage(`storage at ${url.host}`, { cause: failure });
}

async function elementOf(answer: Response): Promise<XmlElement> {
  const { root } = parseXml(await answer.text());
  if (root === null) throw refuse(answer.url, 'an answer that is no XML');
  return root;
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement =>
      child.type === 'element' && 'name' in child && child.name === name,
  );
}

function textOf(element: XmlElement, name: string): string | undefined {
  return childrenOf(element, name)[0]?.text || undefined;
}

/** A connection is free again when its answer was read. */
async function drop(answer: Response): Promise<void> {
  await answer.arrayBuffer();
}

function refuse(what: string, reason: string): Refusal {
  return new Refusal('conflict', 'backup_place', `the storage refuses ${what} (${reason})`);
}
