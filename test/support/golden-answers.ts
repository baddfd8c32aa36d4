// Whole answers of the API, compared with those kept in a file: v1 changes by addition only (E15),
// so a difference is a change that merchants will see. After a change that is meant:
// UPDATE_GOLDEN=1 node --test <the test>, and read the diff.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { BASE_PATH } from '#api/endpoint.ts';
import type { Called, CallOptions, TestApi } from './test-api.ts';

export type Golden = {
  readonly name: string;
  readonly request: string;
  readonly body?: unknown;
  readonly status: number;
  readonly errorCode?: string;
  readonly retryAfter?: string;
  /** Text where it is no JSON. */
  readonly answer: unknown;
};

export type GoldenAnswers = {
  readonly seen: readonly Golden[];
  record(name: string, method: string, path: string, options?: CallOptions): Promise<Called>;
  /** What was called otherwise. */
  keep(one: Golden): void;
  /** Fails at the first difference; with UPDATE_GOLDEN=1 keeps what was seen instead. */
  compare(): Promise<void>;
};

const bodyShownMax = 1000;

export function goldenAnswers(file: string, api: Pick<TestApi, 'call'>): GoldenAnswers {
  const seen: Golden[] = [];
  return {
    seen,
    async record(name, method, path, options = {}) {
      const called = await api.call(method, path, options);
      const { status, headers, json } = called;
      const errorCode = headers.get('x-error-code') ?? undefined;
      const retryAfter = headers.get('retry-after') ?? undefined;
      assert.equal(errorCode === undefined, status === 200, `${name}: ${called.text}`);
      seen.push({
        name,
        request: `${method} ${BASE_PATH}${path}${options.query ?? ''}`,
        ...shownBody(options.body),
        status,
        ...(errorCode === undefined ? {} : { errorCode }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
        answer: json,
      });
      return called;
    },
    keep: (one) => {
      seen.push(one);
    },
    async compare() {
      if (process.env.UPDATE_GOLDEN === '1') {
        await writeFile(file, `${JSON.stringify(seen, null, 2)}\n`);
      }
      const kept = await keptAnswers(file);
      for (const [index, golden] of seen.entries()) {
        assert.deepEqual(JSON.parse(JSON.stringify(golden)), kept[index], golden.name);
      }
      assert.equal(seen.length, kept.length);
    },
  };
}

export async function keptAnswers(file: string): Promise<Golden[]> {
  return JSON.parse(await readFile(file, 'utf8')) as Golden[];
}

function shownBody(body: CallOptions['body']): { readonly body?: unknown } {
  if (body === undefined) return {};
  const isLong = typeof body === 'string' && body.length > bodyShownMax;
  return { body: isLong ? `${body.slice(0, 10)}...` : body };
}
