// What tells one XRP Ledger network from another: the number its servers state in `server_info`
// (NetworkID; 0 is the main network, 1 the test network), or, where they state none, their past.

export type XrplChain = {
  readonly name: string;
  readonly networkId: bigint;
  /** Compared with every observation (chain/record-observation.ts). */
  readonly identity: string;
  /** The two bytes before the account in an X-address (XLS-5). */
  readonly xAddressPrefix: number;
  /** A ledger of its past that every server can show; undefined where it begins anew at times. */
  readonly checkpoint: { readonly height: bigint; readonly hash: string } | undefined;
};

/** Of January 2013. The state of ledger 40000 names it, and a test computes that hash again. */
const MAIN_CHECKPOINT = Object.freeze({
  height: 39_936n,
  hash: 'EE15773B6C898386E770E3613E28A8BE0D365F933648CA9AC4828AD67C998B71',
});

export const XRPL_CHAIN_NAMES = ['main', 'test'] as const;
export type XrplChainName = (typeof XRPL_CHAIN_NAMES)[number];

export const XRPL_CHAINS: Readonly<Record<XrplChainName, XrplChain>> = {
  main: { ...xrplChain('XRP Ledger', 0n, 0x0544), checkpoint: MAIN_CHECKPOINT },
  test: xrplChain('XRP Ledger testnet', 1n, 0x0493),
};

function xrplChain(name: string, networkId: bigint, xAddressPrefix: number): XrplChain {
  const identity = `xrpl:${networkId}`;
  return { name, networkId, xAddressPrefix, identity, checkpoint: undefined };
}
