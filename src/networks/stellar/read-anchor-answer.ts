// Answers of anchors, as JSON whose numbers keep their text: no amount of theirs becomes a float.
import { parseExactJson } from '#money/exact-json.ts';
import type { GuardedAnswer } from './guarded-http.ts';
import { outage } from './horizon.ts';
import { isFields } from './horizon-fields.ts';

export type AnchorFields = Readonly<Record<string, unknown>>;

/** @throws Outage unless it is an object and the status 200. */
export function readJson({ status, text }: GuardedAnswer, domain: string, what: string) {
  const json = findJson(text);
  if (status !== 200 || json === undefined) {
    throw outage(domain, `the anchor gave no ${what} (HTTP status ${status})`);
  }
  return json;
}

/** Undefined when it is no JSON object. */
export function findJson(text: string): AnchorFields | undefined {
  const parsed = parseExactJson(text);
  return parsed.ok && isFields(parsed.value) ? parsed.value : undefined;
}
