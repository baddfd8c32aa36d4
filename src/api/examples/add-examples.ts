// The OpenAPI document with what was recorded of each operation and event. It is several times as
// large, and served beside the other one (decision 0088).
import type { ApiAnswer, ApiDocument, Operation } from '#api/openapi-document.ts';
import { type Content, mapValues } from '#api/openapi-parts.ts';
import type { OpenApiWebhook } from '#api/openapi-webhooks.ts';
import type { EventType } from '#event/event.ts';
import { type RecordedExamples, recordedExamples } from './recorded-examples.ts';

const NAME = 'recorded';

export function addExamples(document: ApiDocument): ApiDocument {
  const recorded = recordedExamples();
  const { paths, webhooks, ...others } = document;
  const answers = document.components.responses as { readonly [name: string]: ApiAnswer };
  return {
    ...others,
    paths: mapValues(paths, (operations) =>
      mapValues(operations, (one) => shown(one, answers, recorded)),
    ),
    webhooks: mapValues(webhooks, (webhook, type) => told(webhook, type as EventType, recorded)),
  };
}

/** An answer that several operations share is shown with what each was answered. */
function shown(
  operation: Operation,
  answers: { readonly [name: string]: ApiAnswer },
  { operations }: RecordedExamples,
): Operation {
  const exchange = operations[operation.operationId];
  if (exchange === undefined) return operation;
  const { requestBody, responses } = operation;
  const told = responses['200'];
  const success =
    told !== undefined && '$ref' in told ? answers[told.$ref.split('/').at(-1) ?? ''] : told;
  return {
    ...operation,
    ...(requestBody && {
      requestBody: { ...requestBody, content: withExample(requestBody.content, exchange.body) },
    }),
    responses: {
      ...responses,
      ...(success !== undefined && {
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
