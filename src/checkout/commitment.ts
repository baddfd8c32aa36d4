// A stored commitment together with the instruction it was given.

import { assert } from '#base/assert.ts';
import { chainOf, environmentOf } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import type { DepositInstruction, InstructionKeys } from '#deposit/deposit-instruction.ts';
import { listInstructions } from '#deposit/list-instructions.ts';
import type { Payee } from '#deposit/network.ts';
import type { Commitment, PastWindow } from './checkout.ts';
import type { CommitmentRow, PastWindowRow } from './commitment-store.ts';

export async function commitmentFromRow(
  app: { readonly keyring: InstructionKeys },
  reader: Reader,
  network: Payee,
  row: CommitmentRow,
  windows: readonly PastWindowRow[],
): Promise<Commitment> {
  const instructions = await listInstructions(app, reader, 'checkout', row.checkout_id);
  const networks = new Map([[network.chain as string, network]]);
  return joinCommitment(row, windows, instructions, networks, environmentOf(network.chain));
}

export function joinCommitment(
  row: CommitmentRow,
  /** Of all ways to pay of its checkout, or of several checkouts. */
  windows: readonly PastWindowRow[],
  instructions: readonly DepositInstruction[],
  networks: ReadonlyMap<string, Payee>,
  environment: 'test' | 'live',
): Commitment {
  const instruction = instructions.find(({ id }) => id === row.instruction_id);
  assert(instruction !== undefined, 'a commitment has its instruction');
  const network = networks.get(chainOf(environment, row.network));
  return {
    checkoutId: row.checkout_id,
    network: row.network,
    assetId: row.asset_id,
    instruction,
    paymentUnits: row.payment_units,
    sentUnits: row.sent_units ?? undefined,
    settlementAssetId: row.settlement_asset_id,
    settlementUnits: row.settlement_units,
    netUnits: row.net_units,
    feeUnits: row.fee_units,
    committedAt: row.committed_at,
    expiresAt: row.expires_at,
    pastWindows: windows.filter((window) => isOfWay(window, row)).map(pastWindowFromRow),
    // A network that was taken out of the configuration still shows where to pay, without a link.
    paymentUri:
      network?.paymentUri(instruction, row.asset_id, row.sent_units ?? row.payment_units) ?? '',
    payee: network?.accountHolder,
  };
}

function isOfWay(window: PastWindowRow, row: CommitmentRow): boolean {
  return (
    window.checkout_id === row.checkout_id &&
    window.network === row.network &&
    window.asset_id === row.asset_id
  );
}

function pastWindowFromRow(row: PastWindowRow): PastWindow {
  return {
    instructionId: row.instruction_id,
    paymentUnits: row.payment_units,
    settlementUnits: row.settlement_units,
    netUnits: row.net_units,
    committedAt: row.committed_at,
    expiresAt: row.expires_at,
  };
}
