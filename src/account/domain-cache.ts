// Whose hosts are, as this process knows it, so that a request does not ask the database.
// Guarantees as in key-cache.ts, by the same notices: a domain that was removed or taken over is
// served as any other some milliseconds later.

import { createBatch } from '#base/batch.ts';
import type { Reader } from '#db/db.ts';
import { listVerifiedHosts, type OwnDomain } from './domain.ts';
import { findDomainName } from './domain-name.ts';

type Domains = ReadonlyMap<string, OwnDomain>;

export type DomainCache = {
  find(): Domains | undefined;
  /** What a look-up begun now may remember at its end. */
  begin(): (domains: Domains) => void;
  forgetAll(): void;
};

export function createDomainCache(isTrusted: () => boolean): DomainCache {
  let known: { domains: Domains | undefined } = { domains: undefined };
  return {
    find: () => (isTrusted() ? known.domains : undefined),
    begin() {
      const begunWith = known;
      return (domains) => {
        begunWith.domains = domains;
      };
    },
    forgetAll() {
      known = { domains: undefined };
    },
  };
}

/** By the hostname of a URL. @throws Outage without the database */
export function domainFinder(app: {
  readonly db: Reader;
  /** Absent: every look-up asks the database. */
  readonly domainCache?: DomainCache | undefined;
}): (hostname: string) => Promise<OwnDomain | undefined> {
  const readDomains = createBatch({
    most: 1_000,
    atOnce: 1,
    async run(asked: readonly undefined[]) {
      const remember = app.domainCache?.begin();
      const rows = await listVerifiedHosts(app.db);
      const domains = new Map(rows.map((row) => [row.host, row]));
      remember?.(domains);
      return asked.map(() => domains);
    },
  });
  return async (hostname) => {
    const host = findDomainName(hostname);
    if (host === undefined) return undefined;
    return (app.domainCache?.find() ?? (await readDomains(undefined))).get(host);
  };
}
