// Which chains of increments go after a new one was begun. Pure. Guarantees: as many whole ones
// stay as are to be kept, however many broken ones were begun between them; what is older than
// those goes, and what was begun before the newest and never became a chain. Chains of another
// installation count for nothing, and stay.

import { findGap, type Link } from './chain.ts';

const OURS = /^(quittance-wal-\d{8}T\d{6}Z)\.\d{5}\.(?:json|age|facts\.age)(?:\.part)?$/;

type OldChains = {
  readonly names: string[];
  readonly isOld: (file: string) => boolean;
};

export function decideOldChains(
  all: ReadonlyMap<string, readonly Link[]>,
  { keep, installationId }: { readonly keep: number; readonly installationId: string },
): OldChains {
  const isStranger = ([base]: readonly Link[]) =>
    (base?.installationId ?? installationId) !== installationId;
  const chains = new Map([...all].filter(([, links]) => !isStranger(links)));
  const whole = [...chains].flatMap(([name, links]) => (findGap(links) ? [] : name)).sort();
  // Without as many whole ones nothing goes but what never became a chain.
  const oldest = whole.at(-keep) ?? '';
  const newest = [...chains.keys()].sort().at(-1) ?? '';
  return {
    names: [...chains.keys()].filter((name) => name < oldest),
    isOld(file) {
      const [, name] = OURS.exec(file) ?? [];
      if (name === undefined || (all.has(name) && !chains.has(name))) return false;
      return name < oldest || (name < newest && !chains.has(name));
    },
  };
}
