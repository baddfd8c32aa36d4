// Money of ours that lies at many addresses, brought together at one: planned, and carried out one
// move after the other by whoever signs (sign-move.ts). Guarantees: a plan has a move at most once
// for each address and asset, and what it moves is looked at again before it is signed, so that
// whoever dies when, nothing moves twice; coins for gas are given before what they pay for.
// Not guaranteed: that it is worth it by the prices of later.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Db, Reader } from '#db/db.ts';
import type { DraftedTransaction } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { type RateBook, usdValue } from '#rates/rate-book.ts';
import type { SendAttempt } from './attempt.ts';
import { carryOn as carryOnSigned, planCarrying } from './carry-out-signed.ts';
import {
  decideGas,
  decideSweep,
  type GasDecision,
  type LeftThere,
  type SweepStep,
} from './decide-sweep.ts';
import { ask, askFor, follow, isRefused, listTaken, type SignMoveApp } from './sign-move.ts';
import { takeTurn } from './signing-turn.ts';
import {
  endMove,
  findCarrying,
  insertPlanned,
  listOpenMoves,
  noteMoveHeldUp,
  type SweepMove,
} from './sweep-move.ts';

type PlanSweepApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly rates: RateBook;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'sweeper'>>;
};

type SweepApp = PlanSweepApp & SignMoveApp;

/** Planned at once; the rest waits for the next time. */
const MOVES_MOST = 200;

export type SweepPlan = {
  readonly collectTo: string;
  readonly coinAssetId: string;
  readonly steps: readonly SweepStep[];
  /** What stays where it is, and why. */
  readonly left: readonly LeftThere[];
  /** What is on its way already. */
  readonly open: readonly SweepMove[];
};

type Wish = {
  /** Of all addresses when undefined. */
  readonly addresses?: readonly string[];
  readonly isAutomatic: boolean;
};

/** @throws Refusal conflict when nobody said where to, or being included is too dear; Outage */
export async function planSweep(
  app: PlanSweepApp,
  chain: ChainId,
  { addresses, isAutomatic }: Wish,
): Promise<SweepPlan> {
  const { collectTo, gasAccount, above, survey: look } = requireSweeper(app, chain);
  const [survey, all] = await Promise.all([look(addresses), listOpenMoves(app.db, chain)]);
  const open = all.filter(({ kind }) => kind !== 'CARRY_OUT');
  const now = app.clock.now();
  const environment = environmentOf(chain);
  const { steps, left } = decideSweep({
    survey,
    above,
    isAutomatic,
    hasGasAccount: gasAccount !== undefined,
    worthOf: (assetId, units) => usdValue(app.rates, environment, [{ assetId, units }], now),
  });
  const { coinAssetId } = survey;
  return { collectTo, coinAssetId, steps: steps.slice(0, MOVES_MOST), left, open };
}

export type GasLook = GasDecision & {
  readonly account: string;
  readonly coinAssetId: string;
  /** Addresses whose tokens are to be brought together. */
  readonly waiting: number;
};

/**
 * What the account holds that gives coins for gas, beside what it takes. Undefined: there is none.
 * @throws Refusal conflict when being included is too dear; Outage
 */
export async function lookAtGas(
  app: Pick<PlanSweepApp, 'db' | 'networks'>,
  chain: ChainId,
): Promise<GasLook | undefined> {
  const sweeper = app.networks.get(chain)?.sweeper;
  const account = sweeper?.gasAccount;
  if (sweeper === undefined || account === undefined) return undefined;
  const [survey, open] = await Promise.all([sweeper.survey([]), listOpenMoves(app.db, chain)]);
  const { coinAssetId } = survey;
  const waiting = open.filter((one) => one.kind === 'SWEEP' && one.assetId !== coinAssetId).length;
  const decision = decideGas(survey, waiting);
  return decision && { ...decision, account, coinAssetId, waiting };
}

/** From now on it is carried out; what is on its way already stays as it is. */
export async function storePlan(
  { db, clock, random }: PlanSweepApp,
  chain: ChainId,
  { collectTo: receiver, steps }: SweepPlan,
  plannedBy: string,
): Promise<void> {
  const plannedAt = clock.now();
  const moves = steps.map(({ address: source, assetId, units }) => ({
    ...{ id: newId(random), chain, kind: 'SWEEP' as const, plannedBy, plannedAt },
    ...{ source, receiver, assetId, units },
  }));
  await db.transact(async (tx) => {
    insertPlanned(tx, moves);
    if (moves.length === 0) return;
    noteAct(tx, {
      ...{ actor: plannedBy, actedAt: plannedAt, verb: 'sweep-plan', subject: `chain:${chain}` },
      environment: environmentOf(chain),
      details: { receiver, moves: `${moves.length}` },
    });
  });
}

/** For a person to sign, where nobody is asked here. Those that need coins first are left out. */
export async function draftSweep(
  { networks, db }: Pick<SignMoveApp, 'networks' | 'db'>,
  chain: ChainId,
  { collectTo: address, steps }: SweepPlan,
): Promise<DraftedTransaction[]> {
  const taken = await listTaken({ db }, chain);
  const draft = networks.get(chain)?.draft;
  const drafts: DraftedTransaction[] = [];
  for (const { address: from, assetId, units, topUpUnits } of steps) {
    if (draft === undefined || topUpUnits > 0n) continue;
    const payments = [{ transferId: 'sweep', account: { address }, assetId, units }];
    const wish = { unspent: [], taken, feeRate: undefined, from, replaces: undefined };
    drafts.push(await draft({ ...wish, payments }));
  }
  return drafts;
}

/** @throws Refusal conflict */
function requireSweeper(
  { networks }: Pick<PlanSweepApp, 'networks'>,
  chain: ChainId,
): NonNullable<Watcher['sweeper']> {
  const sweeper = networks.get(chain)?.sweeper;
  if (sweeper !== undefined) return sweeper;
  throw new Refusal('conflict', 'sweep_refused', [
    `nothing is swept on ${chain}: set ${networkOf(chain)}_COLLECT_TO, where it is an EVM chain; ` +
      'elsewhere all that arrives is in one account, or is spent together',
  ]);
}

/** Plans what the operator wants moved without being asked, where he said from which amount on. */
export async function planAutomatic(app: PlanSweepApp, chain: ChainId): Promise<void> {
  const sweeper = app.networks.get(chain)?.sweeper;
  if (sweeper === undefined || sweeper.above.size === 0) return;
  const plan = await planSweep(app, chain, { isAutomatic: true });
  await storePlan(app, chain, plan, 'SWEEP_ABOVE');
}

/**
 * One step for all that is planned on a chain, and what owners have signed for others to carry out.
 * @throws Outage: the signer or a node is away.
 */
export async function carryOutSweeps(app: SweepApp, chain: ChainId): Promise<void> {
  await planCarrying(app, chain);
  for (const move of await listOpenMoves(app.db, chain)) {
    if (!(await takeTurn(app, chain))) return;
    try {
      await noteMoveHeldUp(app.db, move, await carryOn(app, move));
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof Outage) throw error;
      await noteMoveHeldUp(app.db, move, error.details.join('; '));
    }
  }
}

/** Why it does not go on now. */
async function carryOn(app: SweepApp, move: SweepMove): Promise<string | undefined> {
  const { kind, state, question, heldUp } = move;
  if (kind === 'CARRY_OUT') return carryOnSigned(app, move);
  if (question !== undefined) return ask(app, move, question);
  if (state === 'SIGNED') return follow(app, move);
  return isRefused(app, move) ? heldUp : draft(app, move);
}

async function draft(app: SweepApp, move: SweepMove): Promise<string | undefined> {
  const { id, chain, kind, source, assetId } = move;
  const taken = await listTaken(app, chain);
  if (kind === 'TOP_UP') return askFor(app, move, undefined, taken);
  const isBusy = [...taken].some((turn) => turn.startsWith(`${source}/`));
  if (isBusy) return 'a payment of this address is on its way';
  const plan = await planSweep(app, chain, { addresses: [source], isAutomatic: false });
  const step = plan.steps.find((one) => one.assetId === assetId);
  if (step !== undefined) {
    if (step.topUpUnits > 0n) return topUp(app, move, step.topUpUnits, plan);
    return askFor(app, { ...move, units: unitsOf(move, step) }, undefined, taken);
  }
  if (plan.steps.length > 0) return 'waits for the tokens that its coins pay for';
  const left = plan.left.find((one) => one.assetId === assetId);
  const heldUp = left?.reason ?? 'nothing is left there';
  await endMove(app.db, id, { state: 'GONE', heldUp }, app.clock.now());
  return undefined;
}

/** What a second person was asked to approve stays the same while it can be paid. */
function unitsOf({ refusedAt, units: asked }: SweepMove, { units, costUnits }: SweepStep): bigint {
  const isKept = refusedAt !== undefined && asked < units + costUnits && asked >= units / 2n;
  return isKept && asked <= units ? asked : units;
}

async function topUp(
  app: SweepApp,
  { chain, source: receiver }: SweepMove,
  units: bigint,
  { open, coinAssetId: assetId }: SweepPlan,
): Promise<string> {
  const { gasAccount: source } = requireSweeper(app, chain);
  const isOnItsWay = open.some((one) => one.kind === 'TOP_UP' && one.receiver === receiver);
  if (source !== undefined && !isOnItsWay) {
    const id = newId(app.random);
    const planned = { plannedBy: 'a sweep', plannedAt: app.clock.now() };
    const move = { id, chain, kind: 'TOP_UP' as const, source, receiver, assetId, units };
    await app.db.transact(async (tx) => insertPlanned(tx, [{ ...move, ...planned }]));
  }
  return 'waits for coins that pay for its gas';
}

/** Whether what owners signed is on its way to be carried out here. */
export async function isCarriedOut(db: Reader, { id }: Pick<SendAttempt, 'id'>): Promise<boolean> {
  return (await findCarrying(db, id)) !== undefined;
}
