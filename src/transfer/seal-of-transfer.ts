// The seal of a transfer: under a key outside the database, over what was decided of it.
import type { ReceivingAccount } from '#people/account-fields.ts';

type Keys = { mac(purpose: 'transfer', bytes: Uint8Array): Uint8Array };

type SealedTransfer = {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: string;
  readonly kind: string;
  readonly beneficiaryId: string | undefined;
  readonly network: string;
  readonly assetId: string;
  readonly account: ReceivingAccount | undefined;
  readonly units: bigint;
  readonly networkFeeUnits: bigint;
  readonly feeUnits: bigint;
  readonly targetUnits: bigint;
  readonly source: string;
  /** To the millisecond, which is what the database keeps exactly. */
  readonly restsUntil: Temporal.Instant | undefined;
  readonly maker: string | undefined;
};

export function sealOfTransfer(keyring: Keys, transfer: SealedTransfer): Uint8Array {
  const { restsUntil, maker } = transfer;
  const parts = [
    'transfer/v1',
    transfer.id,
    transfer.merchantId,
    transfer.environment,
    transfer.kind,
    transfer.beneficiaryId ?? null,
    transfer.network,
    transfer.assetId,
    transfer.account === undefined ? null : JSON.stringify(transfer.account),
    String(transfer.units),
    String(transfer.networkFeeUnits),
    String(transfer.feeUnits),
    String(transfer.targetUnits),
    transfer.source,
    // Seals from before there was a cool-down, and people who order, stay what they are.
    ...(restsUntil === undefined ? [] : [restsUntil.epochMilliseconds]),
    ...(maker === undefined ? [] : [maker]),
  ];
  return keyring.mac('transfer', new TextEncoder().encode(JSON.stringify(parts)));
}
