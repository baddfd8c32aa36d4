// TXT records by the name servers of the machine, or by those the operator names.
import { Resolver } from 'node:dns/promises';
import { Outage } from '#base/refusal.ts';

/** Every TXT record of the name; none when there is no such name. @throws Outage */
export type FindTextRecords = (name: string) => Promise<readonly string[]>;

type TextRecordOptions = {
  /** `address` or `address:port`; empty: those of the machine. */
  readonly servers: readonly string[];
  readonly timeoutMs?: number;
  readonly wholeMs?: number;
};

const TIMEOUT_MS = 2_000;
const WHOLE_MS = 10_000;
const TRIES = 2;
const RECORDS_MAX = 100;
const NO_RECORDS = ['ENODATA', 'ENOTFOUND'];

export function textRecordsBy(options: TextRecordOptions): FindTextRecords {
  const { servers, timeoutMs = TIMEOUT_MS, wholeMs = WHOLE_MS } = options;
  return async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers.length > 0) resolver.setServers([...servers]);
    // However many name servers there are.
    const timer = setTimeout(() => resolver.cancel(), wholeMs);
    try {
      const records = await resolver.resolveTxt(name);
      return records.slice(0, RECORDS_MAX).map((parts) => parts.join(''));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (NO_RECORDS.includes(code)) return [];
      throw new Outage('name server', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}
