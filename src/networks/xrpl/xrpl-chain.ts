// What tells one XRP Ledger network from another: the number its servers state in `server_info`
// (NetworkID; 0 is the main network, 1 the test network).

export type XrplChain = {
  readonly name: string;
  readonly networkId: bigint;
  /** Compared with every observation (deposit/record-observation.ts). */
  readonly identity: string;
  /** The two bytes before the account in an X-address (XLS-5). */
  readonly xAddressPrefix: number;
};

export const XRPL_CHAIN_NAMES = ['main', 'test'] as const;
export type XrplChainName = (typeof XRPL_CHAIN_NAMES)[number];

export const XRPL_CHAINS: Readonly<Record<XrplChainName, XrplChain>> = {
  main: xrplChain('XRP Ledger', 0n, 0x0544),
  test: xrplChain('XRP Ledger testnet', 1n, 0x0493),
};

function xrplChain(name: string, networkId: bigint, xAddressPrefix: number): XrplChain {
  return Object.freeze({ name, networkId, xAddressPrefix, identity: `xrpl:${networkId}` });
}
