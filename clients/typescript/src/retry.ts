const FIRST_SECONDS = 0.5;
const MOST_SECONDS = 8;
/** Whoever is told to come back later than that is told so, and decides. */
const RETRY_AFTER_MOST_SECONDS = 30;

export type Retry = {
  /** 0 before the first repeat. */
  readonly attempt: number;
  readonly retryAfterSeconds: number | null;
  /** From 0 to below 1. */
  readonly random: number;
  /** A signature of the class money is good for one request: the next needs a later second. */
  readonly isMoney: boolean;
};

/** Seconds to wait before the next attempt; null: there is none. */
export function retryDelay({ attempt, retryAfterSeconds, random, isMoney }: Retry): number | null {
  const asked = retryAfterSeconds ?? 0;
  if (asked > RETRY_AFTER_MOST_SECONDS) return null;
  const backOff = Math.min(MOST_SECONDS, FIRST_SECONDS * 2 ** attempt) * (0.5 + random / 2);
  return Math.max(backOff, asked, isMoney ? 1 : 0);
}
