// What the operator of a node should change so that less goes wrong.

/** As getnetworkinfo gives it: 210201 is 0.21.2.1, 270100 is 27.1. */
type OldestVersion = { readonly version: number; readonly name: string; readonly reason: string };

const OLDEST_VERSIONS: Readonly<Record<string, OldestVersion>> = {
  'BTC:NATIVE': {
    version: 250000,
    name: 'Bitcoin Core 25',
    reason: 'peers can stop an older one (CVE-2024-35202)',
  },
  'LTC:NATIVE': {
    version: 210200,
    name: 'Litecoin Core 0.21.2',
    reason: 'an older one does not know the rules of MWEB',
  },
};

/** `version`: undefined before the node was asked. */
export function nodeAdvice(assetId: string, version: number | undefined): string[] {
  const oldest = OLDEST_VERSIONS[assetId];
  if (oldest === undefined || version === undefined || version >= oldest.version) return [];
  return [`update the node to ${oldest.name} or newer: ${oldest.reason}`];
}
