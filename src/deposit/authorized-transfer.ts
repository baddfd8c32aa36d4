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

/** What we send for a payer, unsigned. */
export type RelayDraft = {
  /** What whoever signs takes. */
  readonly unsigned: string;
  /** Of our account: what `Sender.readSigned` holds the signed one against. */
  readonly terms: string;
  readonly call: Readonly<Record<'chainId' | 'to' | 'value' | 'data', string>>;
  readonly feeUnits: bigint;
};

/** The most that the network may take for it, in its own coin. */
type RelayFee = { readonly assetId: string; readonly units: bigint };

/** Carried out by this transaction, or never by the one that we sent. */
export type RelayOutcome = { readonly paidBy: string } | { readonly failed: true };

export type Authorizations = {
  /** EIP-155. */
  readonly chainNumber: bigint;
  /** The account of ours that pays the gas, in lower case; undefined: nothing is sent here. */
  readonly account: string | undefined;
  /** Hundredths of what is paid that the gas may be worth at most; 0: any. */
  readonly gasPercentMost: number;
  /** Undefined where it cannot be sent now. @throws Outage */
  readFee(transfer: AuthorizedTransfer): Promise<RelayFee | undefined>;
  /** Number of its next transaction, as blocks have it. @throws Outage */
  readNextSequence(): Promise<bigint>;
  /** @throws Refusal conflict that says why it cannot be sent now. @throws Outage */
  draft(transfer: AuthorizedTransfer, sequence: bigint): Promise<RelayDraft>;
  /** Another one than ours may have come first. Undefined while it waits. @throws Outage */
  findOutcome(transfer: AuthorizedTransfer, transaction: string): Promise<RelayOutcome | undefined>;
  /** Tokens that take such transfers. @throws Outage */
  listTokens(): Promise<readonly TokenDomain[]>;
  /** Whether the chain would carry it out now. @throws Outage */
  findFault(transfer: AuthorizedTransfer): Promise<AuthorizationFault | undefined>;
};
