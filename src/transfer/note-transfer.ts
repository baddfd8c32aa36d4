// What is noted of an act with a transfer, for whoever asks later who did it.
import { type Act, noteAct } from '#audit/act.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Tx } from '#db/db.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { Transfer } from './transfer.ts';

type Done = Pick<Act, 'verb' | 'actor' | 'actedAt'> & {
  readonly details?: Readonly<Record<string, string | null | undefined>>;
};

export function noteTransfer(tx: Tx, transfer: Transfer, { details, ...done }: Done): void {
  const { id, kind, environment, merchantId, network, assetId, targetUnits, account } = transfer;
  noteAct(tx, {
    ...{ ...done, environment, merchantId, subject: `transfer:${id}` },
    details: {
      ...{ kind, network, asset: assetId },
      amount: amountToText(targetUnits, getAsset(assetId).decimals),
      receiver: account && Object.values(account).join(' '),
      ...details,
    },
  });
}

/** The key that made it, or the service where nobody did. */
export function makerOf({ apiKey }: Pick<Transfer, 'apiKey'>): string {
  return apiKey === undefined ? 'service' : `key ${apiKey}`;
}
