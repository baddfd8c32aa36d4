// The examples of the contract are what was really sent and answered. UPDATE_GOLDEN=1 takes them anew
// from the whole answers that the tests beside this one keep; where an event is not as documented any
// more, all events are taken from stories, which are run for that (a few minutes).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { test } from 'node:test';
import { z } from 'zod';
import { BASE_PATH } from '#api/endpoint.ts';
import { addExamples } from '#api/examples/add-examples.ts';
import {
  RECORDED_FILE,
  type RecordedExamples,
  type RecordedExchange,
} from '#api/examples/recorded-examples.ts';
import { inlineReferences } from '#api/inline-references.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { EVENT_TYPES } from '#event/event.ts';
import { findEventFault } from '#test/support/check-event.ts';
import type { Golden } from '#test/support/golden-answers.ts';

const root = join(import.meta.dirname, '..', '..');
const ANSWERS = ['api-answers', 'api-account-answers'];
/** Together they tell of everything that is told. */
const STORIES = [
  'test/scenarios/api-account-answers.test.ts',
  'src/checkout-settlement/settlement-told.test.ts',
  'src/deposit-address/settle-deposit-address.test.ts',
  'src/refund/resting-refund.test.ts',
  'src/refund/reopened-refund.test.ts',
  'src/api/resources/swap.test.ts',
  'src/suspense/suspense.test.ts',
  'src/custody/settle-departures.test.ts',
  'test/fakes/stellar-claimable.test.ts',
  'test/scenarios/bank-by-hand.test.ts',
];
/** Its answer is the document. */
const ITSELF = 'getOpenApiDocument';
const SHOWN_MOST = 2;

/** Secrets are cut, and lists of objects after their second. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfObjects = value.some((one) => typeof one === 'object');
    return (isOfObjects ? value.slice(0, SHOWN_MOST) : value).map(shown);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === 'secret' ? 'whsec_…' : shown(one)]),
  );
}

const document = openApiDocument(ROUTES, 'http://pay.example');
const { paths } = inlineReferences(document);

function fits(schema: object, value: unknown): boolean {
  return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).safeParse(value).success;
}

/** Numbers may be sent as such; in an example they are the texts that are documented. */
function fitsRequest(operationId: string, body: unknown): boolean {
  const operation = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .find((one) => one.operationId === operationId);
  const { schema } = operation?.requestBody?.content['application/json'] ?? {};
  return schema === undefined || fits(schema, body);
}

/** Of each operation the first that succeeded. */
function recordedExchanges(): { readonly [operationId: string]: RecordedExchange } {
  const kept = ANSWERS.flatMap(
    (name) =>
      JSON.parse(
        readFileSync(join(import.meta.dirname, `${name}.golden.json`), 'utf8'),
      ) as Golden[],
  );
  const shownRoutes = ROUTES.filter(({ operationId }) => operationId !== ITSELF);
  const found = shownRoutes.map(({ operationId, method, path }): [string, RecordedExchange] => {
    const [before = '', after] = path.split('{id}');
    const address = `${method} ${BASE_PATH}${before}`;
    const golden = kept.find(({ request, body, status }) => {
      const isThere =
        after === undefined
          ? request === address || request.startsWith(`${address}?`)
          : request.startsWith(address) && request.split('?')[0]?.endsWith(after);
      return status === 200 && isThere && fitsRequest(operationId, body);
    });
    assert.ok(golden !== undefined, `${operationId} stands in no golden file`);
    const { request, body, answer } = golden;
    return [
      operationId,
      { request, ...(body !== undefined && { body: shown(body) }), answer: shown(answer) },
    ];
  });
  return Object.fromEntries(found);
}

function tellStories(): RecordedExamples['events'] {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-events-'));
  try {
    return Object.fromEntries(STORIES.flatMap((file) => eventsOf(file, folder)).reverse());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function eventsOf(file: string, folder: string): [type: string, body: unknown][] {
  const { NODE_TEST_CONTEXT: _inside, ...outside } = env;
  const told = join(folder, file.replaceAll('/', '-'));
  const story = spawnSync(execPath, ['--test', file], {
    cwd: root,
    env: { ...outside, UPDATE_GOLDEN: '', KEEP_EVENTS: told },
    encoding: 'utf8',
  });
  assert.equal(story.status, 0, story.stdout);
  const bodies = readFileSync(told, 'utf8').trimEnd().split('\n');
  return bodies.map((body) => {
    const event = JSON.parse(body) as { readonly eventType: string };
    return [event.eventType, shown(event)];
  });
}

function readRecorded(): RecordedExamples {
  return JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as RecordedExamples;
}

const faultOf = (body: unknown) => findEventFault(JSON.stringify(body ?? {}));

test('the example of each operation is what a test sent and was answered', () => {
  const operations = recordedExchanges();
  if (env.UPDATE_GOLDEN === '1') {
    const { events: kept } = readRecorded();
    const isRight = EVENT_TYPES.every((type) => faultOf(kept[type]) === undefined);
    const told = isRight ? kept : tellStories();
    const events = Object.fromEntries(EVENT_TYPES.map((type) => [type, told[type]]));
    writeFileSync(RECORDED_FILE, `${JSON.stringify({ operations, events }, null, 1)}\n`);
  }
  assert.deepEqual(readRecorded().operations, JSON.parse(JSON.stringify(operations)));
});

test('each event has an example that was told, with every field that is documented', () => {
  for (const type of EVENT_TYPES) {
    assert.equal(faultOf(readRecorded().events[type]), undefined, type);
  }
});

test('every example stands in the document beside the schema that it fits', () => {
  const { paths: shownPaths, webhooks } = inlineReferences(addExamples(document));
  const contents = [
    ...Object.values(shownPaths).flatMap((operations) =>
      Object.values(operations).flatMap((one) => [
        [`${one.operationId} request`, one.requestBody?.content] as const,
        [`${one.operationId} answer`, one.responses['200']?.content] as const,
      ]),
    ),
    ...Object.entries(webhooks).map(
      ([type, { post }]) => [type, post.requestBody.content] as const,
    ),
  ];
  for (const [name, content] of contents) {
    if (content === undefined || name.startsWith(ITSELF)) continue;
    const { schema, examples = {} } = content['application/json'];
    const { value } = examples.recorded ?? {};
    assert.ok(value !== undefined, `${name} has no example`);
    assert.ok(fits(schema, value), `${name} does not fit`);
  }
});
