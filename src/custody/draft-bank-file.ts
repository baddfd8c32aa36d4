// Orders to a bank as one file: put together by one person, and released by another one where it is
// above the limit. Guarantees: the text leaves here only after the release, and holds what the
// sealed transfers say then; what each rests on is looked at, locked, in the transaction that lets
// it go, so that no refund is in it whose payment was taken back before; an order that the bank may
// have is not written into another file unless a person insists. Not guaranteed: that a name is who
// it says; whoever may run commands on the server may give any.

import { type Act, noteAct } from '#audit/act.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf, environmentOf } from '#catalog/chain.ts';
import type { Tx } from '#db/db.ts';
import type { Watcher } from '#deposit/network.ts';
import { amountToText } from '#money/asset-amount.ts';
import { compare, type Decimal, decimalFromUnits } from '#money/decimal.ts';
import { holdSending, type SendByHandApp, showSending } from '#transfer/send-by-hand.ts';
import type { Transfer } from '#transfer/transfer.ts';
import {
  type BankFile,
  insertBankFile,
  listFileTransfers,
  listReleasedOrders,
  lockBankFile,
  markReleased,
} from './bank-file.ts';

type BankFileApp = SendByHandApp & {
  readonly random: Random;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'orderFile'>>;
  /** In the currency of a file: above it two people are needed. Undefined: one is enough. */
  readonly twoPeopleAbove: Decimal | undefined;
};

export type DraftedFile = {
  readonly file: BankFile;
  readonly transfers: readonly Transfer[];
  /** Undefined until it is released. */
  readonly text: string | undefined;
};

/**
 * Released at once where one person is enough. `isAgain`: also what the bank may have already.
 * @throws Refusal as showSending; conflict `draft_refused`, `order_given`; of the letters and
 * fields that the bank's file asks for.
 */
export async function draftBankFile(
  app: BankFileApp,
  ids: readonly string[],
  { actor, isAgain }: { readonly actor: string; readonly isAgain: boolean },
): Promise<DraftedFile> {
  requireName(actor);
  const wanted = [...new Set(ids)];
  if (!isAgain) await refuseGiven(app, wanted);
  const transfers = await showAll(app, wanted, actor);
  const now = app.clock.now();
  const file = fileOf(app, transfers, { actor, now });
  // What cannot be written is refused before anybody is asked to release it.
  const text = textOf(app, file, transfers, now);
  await app.db.transact(async (tx) => {
    await holdAll(app, tx, transfers);
    insertBankFile(tx, file, wanted);
    noteFile(tx, file, { verb: 'bank-draft', actor, actedAt: now });
    if (file.releasedAt !== undefined) {
      noteFile(tx, file, { verb: 'bank-release', actor, actedAt: now });
    }
  });
  return { file, transfers, text: file.releasedAt === undefined ? undefined : text };
}

/**
 * Whoever releases it answers for it. Of one that was released the same text once more.
 * @throws Refusal missing; conflict `second_person`; as draftBankFile.
 */
export async function releaseBankFile(
  app: BankFileApp,
  messageId: string,
  actor: string,
): Promise<DraftedFile> {
  requireName(actor);
  const orders = await listFileTransfers(app.db, [messageId]);
  const transfers = await showAll(
    app,
    orders.map(({ transferId }) => transferId),
    actor,
  );
  const now = app.clock.now();
  const file = await app.db.transact(async (tx) => {
    await holdAll(app, tx, transfers);
    const locked = await lockBankFile(tx, messageId);
    if (locked === undefined) {
      throw new Refusal('missing', 'bank_file_missing', `${messageId}: no file has this name`);
    }
    if (locked.releasedAt !== undefined) return locked;
    // By what the transfers say, whatever stands in the row.
    const needsSecond = locked.needsSecond || isAboveLimit(app, locked.assetId, sumOf(transfers));
    if (needsSecond && sameName(actor, locked.draftedBy)) {
      throw new Refusal('conflict', 'second_person', [
        `${locked.draftedBy} drafted it: above the limit another person has to release it`,
      ]);
    }
    const released = { ...locked, releasedBy: actor, releasedAt: now };
    markReleased(tx, released);
    noteFile(tx, released, { verb: 'bank-release', actor, actedAt: now });
    return released;
  });
  return { file, transfers, text: textOf(app, file, transfers, file.releasedAt ?? now) };
}

/** From now on the bank may be told. @throws Refusal as showSending, with the transfer's id. */
async function showAll(
  app: BankFileApp,
  ids: readonly string[],
  actor: string,
): Promise<Transfer[]> {
  const shown: Transfer[] = [];
  for (const id of ids) {
    shown.push((await named(id, showSending(app, id, { actor }))).transfer);
  }
  return shown;
}

/**
 * The facts are asked again where the file is let go, under the locks of what each rests on: a
 * payment that is taken back from now on is so after the file was released. In order of id.
 * @throws Refusal as holdSending, with the transfer's id.
 */
async function holdAll(app: BankFileApp, tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  for (const transfer of transfers.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    await named(transfer.id, holdSending(app, tx, transfer));
  }
}

async function named<Done>(id: string, act: Promise<Done>): Promise<Done> {
  try {
    return await act;
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    const details = [`${id}: ${error.details.join('; ')}`, 'draft a file without it'];
    throw new Refusal(error.kind, error.code, details, { cause: error });
  }
}

function noteFile(
  tx: Tx,
  { messageId, chain, assetId, units, draftedBy }: BankFile,
  act: Pick<Act, 'verb' | 'actor' | 'actedAt'>,
): void {
  noteAct(tx, {
    ...{ ...act, subject: `bank-file:${messageId}`, environment: environmentOf(chain) },
    details: {
      amount: `${amountToText(units, getAsset(assetId).decimals)} ${assetId}`,
      draftedBy,
    },
  });
}

async function refuseGiven(app: BankFileApp, ids: readonly string[]): Promise<void> {
  const given = await listReleasedOrders(app.db, ids);
  const open = given.filter(({ verdict }) => verdict !== 'REJECTED');
  if (open.length === 0) return;
  throw new Refusal('conflict', 'order_given', [
    ...open.map(({ transferId, messageId }) => `${transferId} stands in the file ${messageId}`),
    'the bank may have it: say --again only when that file was not given to the bank',
  ]);
}

function fileOf(
  app: BankFileApp,
  transfers: readonly Transfer[],
  { actor, now }: { readonly actor: string; readonly now: Temporal.Instant },
): BankFile {
  const [first] = transfers;
  const isOne = transfers.every(
    ({ environment, network, assetId }) =>
      environment === first?.environment && network === first.network && assetId === first.assetId,
  );
  if (first === undefined || !isOne) {
    throw new Refusal('conflict', 'draft_refused', ['name transfers of one network and currency']);
  }
  const { environment, network, assetId } = first;
  const needsSecond = isAboveLimit(app, assetId, sumOf(transfers));
  return {
    messageId: `QT-${newId(app.random).toUpperCase()}`,
    chain: chainOf(environment, network),
    assetId,
    units: sumOf(transfers),
    needsSecond,
    draftedBy: actor,
    draftedAt: now,
    releasedBy: needsSecond ? undefined : actor,
    releasedAt: needsSecond ? undefined : now,
  };
}

function textOf(
  app: BankFileApp,
  { chain, messageId }: BankFile,
  transfers: readonly Transfer[],
  createdAt: Temporal.Instant,
): string {
  const network = app.networks.get(chain);
  if (network?.orderFile === undefined) {
    throw new Refusal('conflict', 'draft_refused', [
      `no file of orders is written for ${chain}: send each by itself, npx quittance send show`,
    ]);
  }
  const payments = transfers.map(
    ({ id: transferId, account = {}, assetId, targetUnits: units }) => {
      return { transferId, account, assetId, units };
    },
  );
  return network.orderFile({ messageId, createdAt, payments });
}

function isAboveLimit({ twoPeopleAbove }: BankFileApp, assetId: string, units: bigint): boolean {
  if (twoPeopleAbove === undefined) return false;
  return compare(decimalFromUnits(units, getAsset(assetId).decimals), twoPeopleAbove) > 0;
}

function sumOf(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((sum, { targetUnits }) => sum + targetUnits, 0n);
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function requireName(actor: string): void {
  if (actor.trim() !== '' && actor.length <= 200) return;
  throw new Refusal('invalid', 'usage', ['--by: who does it, in 1 to 200 characters']);
}
