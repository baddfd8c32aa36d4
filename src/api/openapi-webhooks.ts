// `webhooks` of the OpenAPI document: what is sent to merchants (api-contract.md 7), made from the
// schemas that every event of every test is checked with.

import { assert } from '#base/assert.ts';
import { EVENT_TYPES, type EventType } from '#event/event.ts';
import { EVENT_GROUPS, findEventSchema, STATES_TOLD } from './event-schemas.ts';
import { type JsonSchema, jsonSchemaOf, type NamedSchemas, OF_THIS_TYPE } from './json-schema.ts';
import { type Content, capital, type Reference, refer } from './openapi-parts.ts';

/** Headers that say who sent it: both ways are always there, a receiver checks one. */
const SIGNATURES = ['WebhookAuth', 'WebhookId', 'WebhookTimestamp', 'WebhookSignature'];
const HEADERS = [...SIGNATURES, 'Version'];

type SchemaTree = {
  readonly properties?: { readonly [name: string]: SchemaTree | undefined };
  readonly required?: readonly string[];
};

export type OpenApiWebhook = {
  readonly post: {
    readonly operationId: string;
    readonly summary: string;
    readonly parameters: readonly Reference[];
    readonly requestBody: {
      readonly required: true;
      readonly content: Content;
    };
    readonly responses: { readonly [status: string]: Reference };
  };
};

const SUMMARIES: Record<EventType, string> = {
  CHECKOUT_COMPLETED: 'A checkout was paid in full; the balance has been updated',
  CHECKOUT_PENDING: 'Money was seen for a checkout and is not final yet',
  CHECKOUT_UNDERPAID: 'Final money is less than what is required',
  CHECKOUT_EXPIRED: 'The window of a checkout ended without final money',
  CHECKOUT_CANCELLED: 'A checkout was cancelled by the merchant or the customer',
  CHECKOUT_REVERSED: 'The network took back money that was credited',
  CHECKOUT_RESTORED: 'Money that the network had taken back, or other money in its place, is here',
  CHECKOUT_PAID_AGAIN: 'Another payment was credited after the checkout was completed',
  CHECKOUT_PENDING_WITHDRAWN: 'The money of CHECKOUT_PENDING will not arrive: it was not credited',
  CHECKOUT_MISDIRECTED: 'Money came in another asset or on another network than asked',
  UNDERPAID_ACCEPTED: 'An underpaid checkout was accepted with what arrived',
  REFUND_RESTS:
    'A refund to a new address above a limit is sent later: until then it can be cancelled',
  REFUND_COMPLETED: 'A refund has arrived',
  REFUND_FAILED: 'A refund was not sent and never will be; its money is back where it was',
  REFUND_REOPENED:
    'A refund had arrived, or failed, and the network undid that: it is on its way again, and how it ends is told anew',
  REFUND_RETURNED: 'A refund had arrived and was sent back; its money is back where it was',
  DEPOSIT_PENDING: 'Money was seen at a deposit address and is not final yet',
  DEPOSIT_PENDING_WITHDRAWN:
    'The money of DEPOSIT_PENDING is not on the network any more: it was not credited',
  DEPOSIT_COMPLETED: 'Money at a deposit address was credited',
  DEPOSIT_REVERSED: 'The network took back money of a deposit address that was credited',
  DEPOSIT_MISDIRECTED:
    'Money in another asset came to a deposit address: it lies in suspense until somebody decides',
  SUSPENSE_RESOLVED: 'Money in suspense was assigned to you, returned to the payer, or written off',
  SWAP_COMPLETED: 'A swap was carried out',
  SWAP_FAILED: 'A swap could not be carried out',
  TRANSFER_COMPLETED: 'A transfer has arrived',
  TRANSFER_FAILED: 'A transfer cannot arrive; its money is available again',
  TRANSFER_REOPENED:
    'A transfer had arrived, or failed, and the network undid that: it is on its way again, and how it ends is told anew',
  TRANSFER_RETURNED: 'A transfer had arrived and was sent back; what came back is available again',
  SETTLEMENT_SKIPPED:
    'A settlement rule was due and could not be followed: told once for each reason, while it is tried again',
};

export function openApiWebhooks(named: NamedSchemas): { readonly [type: string]: OpenApiWebhook } {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type, named)]));
}

/** Any of them, by its `eventType`. */
export function anyEventSchema(): JsonSchema {
  const mapping = EVENT_GROUPS.flatMap(({ name, types }) =>
    types.map((type) => [type, refer('schemas', name).$ref]),
  );
  return {
    description: 'The body of a webhook: which one it is says `eventType`.',
    oneOf: EVENT_GROUPS.map(({ name }) => refer('schemas', name)),
    discriminator: { propertyName: 'eventType', mapping: Object.fromEntries(mapping) },
  };
}

/** The component, and beside it what is always the same of one type: generators read no more. */
function bodySchema(type: EventType, named: NamedSchemas): JsonSchema {
  const group = EVENT_GROUPS.find(({ types }) => types.includes(type));
  const checked = findEventSchema(type);
  assert(group !== undefined && checked !== undefined, `no type of event: ${type}`);
  const schema = jsonSchemaOf(group.schema, 'output', named);
  const [subject = ''] = type.toLowerCase().replace('underpaid', 'checkout').split('_');
  const state = STATES_TOLD[type];
  const required = requiredOf(subject, jsonSchemaOf(checked, 'output', named));
  const told = {
    ...(state !== undefined && { properties: { state: { const: state } } }),
    ...(required !== undefined && { required }),
  };
  const data = { properties: { [subject]: told } };
  const isMore = Object.keys(told).length > 0;
  const properties = { eventType: { const: type }, ...(isMore && { data }) };
  return { ...schema, [OF_THIS_TYPE]: { properties } };
}

/** Fields of its subject that such an event always has; undefined where the component says so. */
function requiredOf(subject: string, { properties }: SchemaTree): readonly string[] | undefined {
  return properties?.data?.properties?.[subject]?.required;
}

/** `CHECKOUT_COMPLETED` is `CheckoutCompleted`. */
function inCapitals(type: string): string {
  return type
    .split('_')
    .map((word) => capital(word.toLowerCase()))
    .join('');
}

function webhookOf(type: EventType, named: NamedSchemas): OpenApiWebhook {
  return {
    post: {
      operationId: `webhook${inCapitals(type)}`,
      summary: SUMMARIES[type],
      parameters: HEADERS.map((name) => refer('parameters', name)),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: bodySchema(type, named) } },
      },
      responses: {
        '2XX': refer('responses', 'Received'),
        410: refer('responses', 'Gone'),
        default: refer('responses', 'Repeated'),
      },
    },
  };
}
