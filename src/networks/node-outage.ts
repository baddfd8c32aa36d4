import { Outage } from '#base/refusal.ts';

/** An Outage of the named chain that says in one sentence what is wrong. */
export function nodeOutage(what: string, sentence: string, cause?: unknown): Outage {
  const reason = cause instanceof Error ? `${sentence}: ${cause.message}` : sentence;
  return new Outage(what, { cause: new Error(reason, { cause }) });
}
