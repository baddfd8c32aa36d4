// From the newest shape to an older one and back, for every place that a version changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ROUTES } from '#api/routes.ts';
import { EVENT_TYPES } from '#event/event.ts';
import { answerInVersion, eventTextIn, faultsInVersion, requestInNewest } from './adapt-version.ts';
import { FIRST_VERSION, LATEST_VERSION } from './api-version.ts';
import { VERSION_CHANGES } from './version-changes.ts';

test('versions rise, and what they change there is', () => {
  const known = new Set(ROUTES.map(({ operationId }) => operationId));
  let before = FIRST_VERSION;
  for (const { version, endOfBefore, said, requests, answers, events } of VERSION_CHANGES) {
    assert.ok(version > before && endOfBefore > version && said.length > 0, version);
    before = version;
    for (const name of [...Object.keys(requests), ...Object.keys(answers)]) {
      assert.ok(known.has(name), name);
    }
    for (const type of Object.keys(events)) assert.ok(EVENT_TYPES.some((one) => one === type));
  }
});

const LEAF = {
  ...{ id: 'a', settlementRuleId: 'b', webhookEndpointId: 'c', timestamp: 't' },
  ...{ disabledTime: null, finishedTime: 'f', resolvedTime: 'r', amount: '1.50' },
};

test('each way undoes the other, in every place that a version changed', () => {
  for (const { requests, answers, events } of VERSION_CHANGES) {
    for (const change of Object.values({ ...answers, ...events })) {
      const inner = { ...LEAF, deliveries: [LEAF, LEAF] };
      const outer = ['depositAddress', 'webhookEndpoint', 'request', 'event', 'suspense'];
      const lists = ['depositAddresses', 'webhookEndpoints', 'requests', 'events', 'suspense'];
      const values = [
        Object.fromEntries(outer.map((name) => [name, inner])),
        Object.fromEntries(lists.map((name) => [name, [inner, inner]])),
      ];
      assert.ok(values.some((value) => !isDeepStrictEqual(change.older(value), value)));
      for (const value of values) assert.deepEqual(change.newer(change.older(value)), value);
    }
    for (const change of Object.values(requests)) {
      const { settlementRuleId: _, webhookEndpointId: __, ...older } = LEAF;
      assert.notDeepEqual(change.newer(older), older);
      assert.deepEqual(change.older(change.newer(older)), older);
    }
  }
});

test('an answer of the newest version, and one that no version changed, is the very same value', () => {
  const answer = { depositAddress: LEAF };
  assert.equal(answerInVersion(LATEST_VERSION, 'getDepositAddress', answer), answer);
  assert.equal(answerInVersion(FIRST_VERSION, 'getCheckout', answer), answer);
});

test('a field that an older version did not know does not stand in for the one it has', () => {
  const sent = { id: 'mine', webhookEndpointId: 'other' };
  assert.deepEqual(requestInNewest(FIRST_VERSION, 'rotateWebhookEndpointSecret', sent), {
    webhookEndpointId: 'mine',
  });
});

test('faults name fields as the version does', () => {
  const fault = ['webhookEndpointId: is required', 'overlapHours: is too much'];
  assert.deepEqual(faultsInVersion(FIRST_VERSION, 'rotateWebhookEndpointSecret', fault), [
    'id: is required',
    'overlapHours: is too much',
  ]);
});

const event = (apiVersion: string, data: string) =>
  `{"eventType":"SUSPENSE_RESOLVED","data":${data},"id":"e","created":"t","sequence":1,"apiVersion":"${apiVersion}"}`;

test('a webhook of an older version has the text of that version, every digit kept', () => {
  const newest = event(LATEST_VERSION, '{"suspense":{"resolvedTime":"r","meta":{"a":1.50}}}');
  const older = event('1', '{"suspense":{"resolved":"r","meta":{"a":1.50}}}');
  assert.deepEqual(eventTextIn(FIRST_VERSION, newest), { body: older, version: FIRST_VERSION });
  assert.deepEqual(eventTextIn(LATEST_VERSION, newest), { body: newest, version: LATEST_VERSION });
  // What was told before there was a newer version is told again as it was, and says so.
  assert.deepEqual(eventTextIn(LATEST_VERSION, older), { body: older, version: FIRST_VERSION });
});
