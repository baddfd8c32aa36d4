// A way to pay that was chosen: its latest window, the windows that ended before, and the request
// to a node that has to make an invoice first. The tables of all three, and nothing else, are
// written here.

import { assert } from '#base/assert.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  defineTable,
  insertOnly,
  jsonText,
  moment,
  type NewRow,
  optional,
  propertiesOf,
  type Row,
  text,
  units,
} from '#db/table.ts';
import { type DepositInstruction, isInstruction } from '#deposit/deposit-instruction.ts';
import type { Payee } from '#deposit/network.ts';
import type { Commitment } from './checkout.ts';
import type { DueAmount } from './offer.ts';

const window = {
  checkoutId: text(),
  network: text(),
  assetId: text(),
  instructionId: text(),
  /** What has to arrive. */
  paymentUnits: units,
  /** What is asked for, where that is more. */
  sentUnits: optional(units),
  settlementAssetId: text(),
  settlementUnits: units,
  netUnits: units,
  feeUnits: units,
  /** JSON text: the rates that the amounts were made of. */
  rates: insertOnly(jsonText()),
  committedAt: moment,
  expiresAt: moment,
};
export const COMMITMENT = defineTable('commitment', window);
export const PAST_WINDOW = defineTable('past_window', window);
const WINDOW_COLUMNS = COMMITMENT.namesOf(propertiesOf(window));

export type CommitmentRow = Row<typeof COMMITMENT>;
type NewWindow = Omit<NewRow<typeof COMMITMENT>, 'paymentUnits' | 'sentUnits'> & DueAmount;

export function listCommitmentRows(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<CommitmentRow[]> {
  return COMMITMENT.select(
    reader,
    sql`where checkout_id = any(${checkoutIds}::text[]) order by committed_at, network, asset_id`,
  );
}

/** Oldest first. */
export function listPastWindows(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<CommitmentRow[]> {
  return PAST_WINDOW.select(
    reader,
    sql`where checkout_id = any(${checkoutIds}::text[]) order by committed_at`,
  );
}

type RatedWindow = Pick<CommitmentRow, 'network' | 'assetId' | 'committedAt'>;

/** By which prices each window of a checkout was opened. */
export async function listWindowRates(
  reader: Reader,
  checkoutId: string,
): Promise<(RatedWindow & { readonly rateIds: readonly bigint[] })[]> {
  const rows = await reader.query<RatedWindow & { readonly rates: string }>(sql`
    select network, asset_id as "assetId", committed_at as "committedAt", rates
    from commitment where checkout_id = ${checkoutId}
    union all
    select network, asset_id, committed_at, rates
    from past_window where checkout_id = ${checkoutId}`);
  return rows.map(({ rates, ...window }) => {
    const { rateIds } = JSON.parse(rates) as { readonly rateIds: readonly string[] };
    return { ...window, rateIds: rateIds.map(BigInt) };
  });
}

/** `windows` and `instructions`: of all ways to pay of its checkout, or of several checkouts. */
export function joinCommitment(
  row: CommitmentRow,
  windows: readonly CommitmentRow[],
  instructions: readonly DepositInstruction[],
  networks: ReadonlyMap<string, Payee>,
  environment: Environment,
): Commitment {
  const { instructionId, ...window } = windowOf(row);
  const instruction = instructions.find(({ id }) => id === instructionId);
  assert(instruction !== undefined, 'a commitment has its instruction');
  const network = networks.get(chainOf(environment, row.network));
  return {
    ...window,
    instruction,
    pastWindows: windows.filter((past) => isSameWay(past, row)).map(windowOf),
    // A network that was taken out of the configuration still shows where to pay, without a link.
    paymentUri: network?.paymentUri(instruction, window.assetId, window.askedUnits) ?? '',
    payee: network?.accountHolder,
  };
}

function windowOf({ paymentUnits, sentUnits, ...row }: CommitmentRow) {
  return { ...row, askedUnits: sentUnits ?? paymentUnits, arrivingUnits: paymentUnits };
}

function rowOf({ askedUnits, arrivingUnits, ...window }: NewWindow) {
  const sentUnits = askedUnits === arrivingUnits ? undefined : askedUnits;
  return { ...window, paymentUnits: arrivingUnits, sentUnits };
}

function isSameWay(past: CommitmentRow, row: CommitmentRow): boolean {
  return (
    past.checkoutId === row.checkoutId &&
    past.network === row.network &&
    past.assetId === row.assetId
  );
}

export function insertCommitments(tx: Tx, made: readonly NewWindow[]): void {
  if (made.length > 0) tx.send(COMMITMENT.insert(made.map(rowOf)));
}

/** The window that ended is kept, and the fresh one takes its place: one statement. */
export function replaceWindow(tx: Tx, made: NewWindow): void {
  const isIt = sql`checkout_id = ${made.checkoutId} and network = ${made.network}
    and asset_id = ${made.assetId}`;
  tx.send(sql`
    with ended as (
      insert into past_window (${WINDOW_COLUMNS})
      select ${WINDOW_COLUMNS} from commitment where ${isIt})
    update commitment set ${COMMITMENT.replace(rowOf(made))} where ${isIt}`);
}

export const DESTINATION_REQUEST = defineTable('destination_request', {
  checkoutId: text(),
  network: text(),
  assetId: text(),
  instructionId: text(),
  units,
  askedAt: moment,
});

/**
 * What a node is asked for: a request for the same units that was made since `repeatedSince` is
 * repeated instead of replaced. What an earlier window was opened with is never asked for again.
 * The checkout is locked: nobody else decides the same.
 */
export async function takeDestinationRequest(
  tx: Tx,
  made: NewRow<typeof DESTINATION_REQUEST>,
  repeatedSince: Temporal.Instant,
): Promise<Row<typeof DESTINATION_REQUEST>> {
  const isRepeated = sql`destination_request.units = excluded.units
    and destination_request.asked_at >= ${repeatedSince} 
    and not ${isInstruction(sql`destination_request.instruction_id`)}`;
  const [row] = await tx.query<object>(
    DESTINATION_REQUEST.insert(
      [made],
      sql`on conflict (checkout_id, network, asset_id) do update set
          instruction_id = case when ${isRepeated}
            then destination_request.instruction_id else excluded.instruction_id end,
          asked_at = case when ${isRepeated}
            then destination_request.asked_at else excluded.asked_at end,
          units = excluded.units
        returning ${DESTINATION_REQUEST.columnsOf('destination_request')}`,
    ),
  );
  assert(row !== undefined, 'a request is made or repeated');
  return DESTINATION_REQUEST.parse(row);
}
