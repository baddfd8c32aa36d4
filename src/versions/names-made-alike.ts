// Everything says when it was made as `timestamp`, as checkouts do; other times end in `Time`, so
// that none reads as a yes or a no; acts on a thing name it as its answers do.
import { both, inside, renamed, type VersionChange } from './version-change.ts';

const depositAddress = renamed('created', 'timestamp');
const receiver = both(renamed('created', 'timestamp'), renamed('disabled', 'disabledTime'));
const delivery = renamed('finished', 'finishedTime');
const request = renamed('at', 'timestamp');
const suspense = inside('suspense', renamed('resolved', 'resolvedTime'));
const ofRule = renamed('id', 'settlementRuleId');

const event = inside('event', inside('deliveries', delivery));

export const NAMES_MADE_ALIKE: VersionChange = {
  version: '2026-11-25',
  endOfBefore: '2028-11-25',
  said: [
    '`DepositAddress`, `WebhookEndpoint` and `ListedRequest` say when they were made as `timestamp`; ' +
      'before, as `created` and `at`.',
    '`disabledTime` of `WebhookEndpoint`, `finishedTime` of `Delivery` and `resolvedTime` of ' +
      '`Suspense` are times by their names, too; before, `disabled`, `finished` and `resolved`.',
    '`POST /webhook-endpoint/rotate-secret` takes `webhookEndpointId`, `POST /settlement-rule/pause` ' +
      'and `resume` take `settlementRuleId`; before, `id`.',
    '`destinationTag` of `CreateRefundRequest` is a number in the document, as it is everywhere ' +
      'else; its text is taken as before.',
    '`apiVersion` of an event is the date of the version that it is told in; before, `1`.',
  ],
  requests: {
    rotateWebhookEndpointSecret: renamed('id', 'webhookEndpointId'),
    pauseSettlementRule: ofRule,
    resumeSettlementRule: ofRule,
  },
  answers: {
    createDepositAddress: inside('depositAddress', depositAddress),
    getDepositAddress: inside('depositAddress', depositAddress),
    listDepositAddresses: inside('depositAddresses', depositAddress),
    createWebhookEndpoint: inside('webhookEndpoint', receiver),
    rotateWebhookEndpointSecret: inside('webhookEndpoint', receiver),
    updateWebhookEndpoint: inside('webhookEndpoint', receiver),
    listWebhookEndpoints: inside('webhookEndpoints', receiver),
    listRequests: inside('requests', request),
    getRequest: inside('request', request),
    listSuspense: suspense,
    listEvents: inside('events', inside('deliveries', delivery)),
    getEvent: event,
    redeliverEvent: event,
  },
  events: { DEPOSIT_MISDIRECTED: suspense, SUSPENSE_RESOLVED: suspense },
};
