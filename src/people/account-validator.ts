// The port behind which addresses and invoices of blockchains are checked: their libraries belong
// to networks (validate-account.ts there implements it).
import type { ChainId } from '#catalog/chain.ts';

export type LightningInvoice = {
  /** Canonical spelling. */
  readonly invoice: string;
  readonly expiresAt: Temporal.Instant;
};

export type AccountValidator = {
  /**
   * Canonical spelling of an address or account of the chain, its checksum proven; undefined when
   * it is none, or one without a checksum.
   */
  address(chain: ChainId, text: string): string | undefined;
  /** BOLT 11; undefined when it is no invoice of the chain. */
  invoice(chain: ChainId, text: string): LightningInvoice | undefined;
};
