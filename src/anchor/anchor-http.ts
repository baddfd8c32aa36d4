// Questions to anchors, whose addresses come from a file of theirs, and their answers. Guarantees:
// https only, to public addresses that were checked and to no other, no redirects, bounded in time
// and size. A name that leads inside of our network is refused (the guard of webhooks). Numbers of
// an answer keep their text: no amount of an anchor becomes a float.
import { Outage } from '#base/refusal.ts';
import { isJsonObject, parseExactJson } from '#money/exact-json.ts';
import { askGuarded } from '#webhook/ask-guarded.ts';
import {
  createResolver,
  type ResolveAddresses,
  STRICT_TARGET_RULES,
  type TargetRules,
} from '#webhook/target-guard.ts';

/** Where anchors may be, other than at public addresses; for tests. */
export type AnchorHttpOptions = {
  readonly targets?: TargetRules;
  readonly resolve?: ResolveAddresses;
  readonly timeoutMs?: number;
};

export type AnchorRequest = {
  readonly url: string;
  readonly token?: string | undefined;
  /** Sent as JSON, by POST unless said otherwise. */
  readonly body?: object | undefined;
  readonly method?: 'PUT' | undefined;
};

type AnchorResponse = { readonly status: number; readonly text: string };
export type AnchorHttp = (request: AnchorRequest) => Promise<AnchorResponse>;
/** A JSON object of an anchor. */
export type AnchorFields = Readonly<Record<string, unknown>>;

/** The largest stellar.toml there is (SEP-1); other answers are smaller. */
const ANSWER_BYTES_MOST = 100 * 1024;
const TIMEOUT_MS = 15_000;

/** What is asked throws Outage when the anchor cannot be asked, whatever the reason. */
export function openAnchorHttp(domain: string, options: AnchorHttpOptions): AnchorHttp {
  const { targets = STRICT_TARGET_RULES, timeoutMs = TIMEOUT_MS } = options;
  const resolve = options.resolve ?? createResolver();
  const via = { targets, resolve, timeoutMs, answerBytesMost: ANSWER_BYTES_MOST };
  return async ({ url, token, body, method }) => {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await askGuarded(via, { url, headers, body, method });
    switch (answer.kind) {
      case 'answered':
        return answer;
      case 'refused':
        throw anchorOutage(domain, `an address of the anchor: ${answer.reason}`);
      case 'failed':
        throw anchorOutage(domain, 'the anchor does not answer', answer.code);
    }
  };
}

/** @throws Outage unless the status is 200 and the answer a JSON object. */
export function requireJson({ status, text }: AnchorResponse, domain: string, what: string) {
  const json = findJson(text);
  if (status !== 200 || json === undefined) {
    throw anchorOutage(domain, `the anchor gave no ${what} (HTTP status ${status})`);
  }
  return json;
}

/** Undefined when it is no JSON object. */
export function findJson(text: string): AnchorFields | undefined {
  const parsed = parseExactJson(text);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** An Outage of the anchor that says in one sentence what is wrong. */
export function anchorOutage(domain: string, sentence: string, reason?: string): Outage {
  const message = reason === undefined ? sentence : `${sentence}: ${reason}`;
  return new Outage(domain, { cause: new Error(message) });
}
