// An invoice for one payment to a Lightning address. Guarantees: it is recorded before anybody is
// shown it; the node is asked outside of a transaction. An invoice that was made and not recorded
// (the process ended in between) was shown to nobody.

import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import type { Db } from '#db/db.ts';
import type { DepositInstruction, InstructionKeys } from './deposit-instruction.ts';
import type { Payee } from './network.ts';
import { openDeposit } from './open-deposit.ts';

export type OpenAddressInvoiceApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: InstructionKeys;
};

/** A wallet pays at once; what is unpaid afterwards is looked for no longer. */
const MINUTES_VALID = 10;

/** `units` in satoshi. @throws Outage when the node cannot be asked. */
export async function openAddressInvoice(
  app: OpenAddressInvoiceApp,
  network: Payee,
  address: DepositInstruction,
  { units, hashedDescription }: { readonly units: bigint; readonly hashedDescription: string },
): Promise<DepositInstruction> {
  const id = newId(app.random);
  const expiresAt = app.clock.now().add({ minutes: MINUTES_VALID });
  const { assetId, merchantId, purpose, purposeId } = address;
  const request = { index: 0n, assetId, units, instructionId: id, expiresAt, hashedDescription };
  const destination = await network.openDestination(request);
  return app.db.transact((tx) =>
    openDeposit(app, tx, network, {
      id,
      merchantId,
      purpose,
      purposeId,
      assetId,
      units,
      createdAt: app.clock.now(),
      expiresAt,
      destination,
      isAddressInvoice: true,
    }),
  );
}
