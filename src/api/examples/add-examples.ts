// The OpenAPI document with what was recorded of each operation and event. It is several times as
// large, and served beside the other one (decision 0088).
import type { ApiDocument, Operation } from '#api/openapi-document.ts';
import type { Content } from '#api/openapi-parts.ts';
import type { OpenApiWebhook } from '#api/openapi-webhooks.ts';
import type { EventType } from '#event/event.ts';
import { type RecordedExamples, recordedExamples } from './recorded-examples.ts';

const NAME = 'recorded';

export function addExamples(document: ApiDocument): ApiDocument {
  const recorded = recordedExamples();
  const { paths, webhooks, ...others } = document;
  return {
    ...others,
    paths: mapValues(paths, (operations) => mapValues(operations, (one) => shown(one, recorded))),
    webhooks: mapValues(webhooks, (webhook, type) => told(webhook, type as EventType, recorded)),
  };
}

function shown(operation: Operation, { operations }: RecordedExamples): Operation {
  const exchange = operations[operation.operationId];
  if (exchange === undefined) return operation;
  const { requestBody, responses } = operation;
  const success = responses['200'];
  return {
    ...operation,
    ...(requestBody && {
      requestBody: { ...requestBody, content: withExample(requestBody.content, exchange.body) },
    }),
    responses: {
      ...responses,
      ...(success !== undefined &&
        'content' in success && {
          200: { ...success, content: withExample(success.content, exchange.answer) },
        }),
    },
    'x-recorded-request': exchange.request,
  };
}

function told(
  { post }: OpenApiWebhook,
  type: EventType,
  { events }: RecordedExamples,
): OpenApiWebhook {
  const { requestBody } = post;
  const content = withExample(requestBody.content, events[type]);
  return { post: { ...post, requestBody: { ...requestBody, content } } };
}

function withExample(content: Content, value: unknown): Content {
  if (value === undefined) return content;
  const json = { ...content['application/json'], examples: { [NAME]: { value } } };
  return { ...content, 'application/json': json };
}

function mapValues<Value, Made>(
  object: { readonly [name: string]: Value },
  make: (value: Value, name: string) => Made,
): { readonly [name: string]: Made } {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, make(value, name)]),
  );
}
