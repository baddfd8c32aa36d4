// A transfer that its payer has signed and anybody may send (EIP-3009), as a network knows it: part
// of the port (network.ts). Whoever sends it pays the gas, and can change nothing of it.

export type AuthorizedTransfer = {
  readonly assetId: string;
  /** In lower case, as all addresses here. */
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  /** In seconds since 1970: strictly after the first, strictly before the second. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes, 0x... */
  readonly nonce: string;
  /** 65 bytes, 0x... */
  readonly signature: string;
};

/** What payers sign for: the EIP-712 domain of a token, as its contract has it. */
export type TokenDomain = {
  readonly assetId: string;
  /** With capitals as wallets show it. */
  readonly contract: string;
  readonly name: string;
  readonly version: string;
};

/** Why it would move nothing. */
export type AuthorizationFault = 'signature' | 'nonce' | 'funds' | 'simulation';

export type Authorizations = {
  /** EIP-155. */
  readonly chainNumber: bigint;
  /** Tokens that take such transfers. @throws Outage */
  listTokens(): Promise<readonly TokenDomain[]>;
  /** Whether the chain would carry it out now. @throws Outage */
  findFault(transfer: AuthorizedTransfer): Promise<AuthorizationFault | undefined>;
};
