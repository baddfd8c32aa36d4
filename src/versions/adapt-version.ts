// A request of an older version in the newest shape; answers, faults and events of the newest in an
// older one. Applied where requests come in and answers and webhooks leave: all between knows the
// newest shape alone.
import {
  type ExactJson,
  isJsonObject,
  parseStoredObject,
  stringifyExact,
} from '#money/exact-json.ts';
import { changesSince, FIRST_VERSION, keptApiVersion, LATEST_VERSION } from './api-version.ts';
import type { JsonFields } from './version-change.ts';

export function requestInNewest(
  version: string,
  operationId: string,
  request: ExactJson,
): ExactJson {
  if (!isJsonObject(request) || version === LATEST_VERSION) return request;
  return changesSince(version).reduce<JsonFields>(
    (sent, { requests }) => requests[operationId]?.newer(sent) ?? sent,
    request,
  ) as ExactJson;
}

export function faultsInVersion(
  version: string,
  operationId: string,
  faults: readonly string[],
): readonly string[] {
  return changesSince(version).reduceRight<readonly string[]>((said, { requests }) => {
    const change = requests[operationId];
    return change === undefined ? said : said.map((fault) => change.olderFault(fault));
  }, faults);
}

/** The very same value where nothing of it changed. */
export function answerInVersion(version: string, operationId: string, answer: object): object {
  if (version === LATEST_VERSION) return answer;
  const told = withEvents(version, answer as JsonFields);
  return changesSince(version).reduceRight<JsonFields>(
    (shown, { answers }) => answers[operationId]?.older(shown) ?? shown,
    told,
  );
}

/** Events that an answer holds, and their texts, which are those of their webhooks. */
function withEvents(version: string, answer: JsonFields): JsonFields {
  if (changesSince(version).length === 0) return answer;
  const { event, events } = answer;
  if (typeof event === 'object' && event !== null) {
    return { ...answer, event: listedInVersion(version, event as JsonFields) };
  }
  if (!Array.isArray(events)) return answer;
  return { ...answer, events: events.map((one) => listedInVersion(version, one)) };
}

function listedInVersion(version: string, listed: JsonFields): JsonFields {
  const { body } = listed;
  const told = 'apiVersion' in listed ? eventInVersion(version, listed) : listed;
  return typeof body === 'string' ? { ...told, body: eventTextIn(version, body).body } : told;
}

/** The text of a webhook, and the version that it is in: what was told before stays as it was. */
export function eventTextIn(
  version: string,
  text: string,
): { readonly body: string; readonly version: string } {
  const told: JsonFields = parseStoredObject(text);
  const written = writtenIn(told);
  if (changesBetween(version, written).length === 0) return { body: text, version: written };
  return { body: stringifyExact(eventInVersion(version, told)), version };
}

function eventInVersion(version: string, told: JsonFields): JsonFields {
  const changes = changesBetween(version, writtenIn(told));
  if (changes.length === 0) return told;
  const data = changes.reduceRight<JsonFields>(
    (shown, { events }) => events[String(told.eventType)]?.older(shown) ?? shown,
    told.data as JsonFields,
  );
  return { ...told, data, apiVersion: version === FIRST_VERSION ? FIRST_NAME : version };
}

/** As the first version calls itself in events: they were told before there were dates. */
const FIRST_NAME = '1';

function writtenIn({ apiVersion }: JsonFields): string {
  return apiVersion === FIRST_NAME ? FIRST_VERSION : keptApiVersion(String(apiVersion));
}

function changesBetween(version: string, written: string) {
  const later = changesSince(written);
  return changesSince(version).filter((change) => !later.includes(change));
}
