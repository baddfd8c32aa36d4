// Stellar, watched through Horizon: one account, customers told apart by a number in the memo.
//
// Guarantees: only successful operations of closed ledgers are given, in units of 10^-7, under the
// operation id; ledgers follow each other by number and hash from the recorded one; memo, receiver
// and asset are read from the signed transaction itself, amounts from its result; every listing is
// held against another one and against the balances of the account; with two Horizons or more every
// payment is seen at two. Anything else fails as an Outage and moves nothing. Streams only wake.
// Not guaranteed: with a single Horizon, that it has not made up a whole history.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { findCarriedBy } from '#chain/departure.ts';
import type { Db } from '#db/db.ts';
import type { Block, BlockReference, Network, Observation, Position } from '#deposit/network.ts';
import { isFields, requireFields, requireText } from '#networks/answer-fields.ts';
import { askForPerson, type Turns, takeTurns } from '#networks/ask-nodes.ts';
import { accountArrival, NOTHING_UNCONFIRMED } from '#networks/closed-ledgers.ts';
import { keepFees } from '#networks/keep-fees.ts';
import { type KeptState, keepState } from '#networks/kept-state.ts';
import { nodeListener } from '#networks/node-listener.ts';
import { anotherChain, nodeOutage } from '#networks/node-outage.ts';
import { type BalanceCheck, openBalanceCheck } from './check-balances.ts';
import { confirmDepartures, confirmIncomes } from './confirm-incomes.ts';
import { draftStellarPayment, readStellarFee } from './draft-payment.ts';
import type { Horizon } from './horizon.ts';
import { ledgerOf } from './horizon-fields.ts';
import { openFeeCharges } from './list-fee-charges.ts';
import { stellarPayerTransactions } from './payer-transactions.ts';
import { type AccountState, NO_ACCOUNT, readAccount } from './read-account.ts';
import { departuresIn, readLedgerDepartures } from './read-departures.ts';
import { readIncomes } from './read-incomes.ts';
import type { Income } from './read-operation.ts';
import type { UriSigner } from './sign-payment-uri.ts';
import type { StellarChain } from './stellar-chain.ts';
import { stellarPayee } from './stellar-payee.ts';
import { stellarSender } from './stellar-sender.ts';
import { newestLedger, type WalkedLedgers, walkLedgers } from './walk-ledgers.ts';

export type StellarNetworkOptions = {
  readonly chain: ChainId;
  readonly parameters: StellarChain;
  /** The first is asked, the others when it fails and to confirm what it says. */
  readonly horizons: readonly Horizon[];
  /** G...: the account that everybody pays to. */
  readonly account: string;
  /** What is watched for and offered; those of the catalog unless others are given. */
  readonly assetIds?: readonly string[];
  readonly uriSigner?: UriSigner | undefined;
  /** As `DraftSource` has them. */
  readonly claimableDays?: number | undefined;
  /** How many records of a listing are read at once; for tests. */
  readonly partRecords?: number | undefined;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
};

type Watch = Omit<StellarNetworkOptions, 'log'> & {
  readonly assetIds: readonly string[];
  readonly balances: BalanceCheck;
  readonly turns: Turns<Horizon>;
  /** What can be received is offered by it. */
  readonly kept: KeptState<AccountState>;
  nodeVersion: string | undefined;
};

export function stellarNetwork(options: StellarNetworkOptions): Network {
  const { chain, parameters, horizons, account, db, clock } = options;
  const { assetIds = getNetwork('STELLAR').assets } = options;
  const turns = takeTurns({ nodes: horizons, chain, clock, nameOf: () => 'Horizon' });
  const path = `/accounts/${account}/payments`;
  const hints = nodeListener({
    clock,
    listen: (wake, signal) => turns.current().listen(path, { cursor: 'now' }, wake, signal),
    retryMs: STREAM_RETRY_MS,
  });
  const kept = keepState<AccountState>({
    initial: NO_ACCOUNT,
    clock,
    log: options.log.with({ chain }),
    read: async () => (await turns.ask((horizon) => readState(options, horizon))).held,
  });
  const balances = openBalanceCheck({ db, chain, account });
  const watch: Watch = { ...options, assetIds, balances, turns, kept, nodeVersion: undefined };
  // Processes that only serve never observe, and offer what is known.
  kept.current();

  return {
    ...stellarPayee(options),
    identity: parameters.networkId,
    receivableAssets() {
      const state = kept.current();
      return assetIds.filter((assetId) => state.balances.get(assetId)?.isReceivable === true);
    },
    draft: (order) =>
      askForPerson(turns, (horizon) => draftStellarPayment(options, horizon, order)),
    sender: stellarSender(options, turns),
    payerTransactions: stellarPayerTransactions(options, turns),
    sendingFees: keepFees({
      ...options,
      read: () => askForPerson(turns, readStellarFee),
      feeOf: (units) => ({ assetId: getNetwork('STELLAR').defaultAssetId, units }),
    }),
    async checkIdentity() {
      await turns.ask((horizon) => checkIdentity(watch, horizon));
      await turns.checkOthers((horizon) => checkOther(watch, horizon));
    },
    observe: (position) => turns.ask((horizon) => observe(watch, horizon, position)),
    waitForHint: (ms, signal) => hints.wait(ms, signal),
    health: () => ({
      chain,
      description: `${parameters.name} Horizon at ${turns.current().host}`,
      nodeVersion: watch.nodeVersion,
      ...turns.health(),
      advice: advice(kept.last()),
    }),
    async holdings() {
      const { held, latestLedger: height } = await turns.ask((horizon) =>
        readState(options, horizon),
      );
      if (height === undefined) throw nodeOutage(chain, NO_LEDGER);
      const units = [...held.balances].map(
        ([assetId, balance]) => [assetId, balance.units] as const,
      );
      return { upTo: { height }, units: new Map(units) };
    },
    async close() {
      hints.close();
      for (const horizon of horizons) horizon.close();
    },
  };
}

const NO_LEDGER = 'Horizon does not say of which ledger the account is';

async function readState({ account }: Pick<Watch, 'account'>, horizon: Horizon) {
  const { json, latestLedger } = await horizon.get(`/accounts/${account}`);
  return { held: json === undefined ? NO_ACCOUNT : readAccount(json, account), latestLedger };
}

async function observe(watch: Watch, horizon: Horizon, { cursor }: Position): Promise<Observation> {
  const { chain, clock, parameters } = watch;
  const now = clock.now();
  const step = { identity: parameters.networkId, rollbackTo: undefined, ...NOTHING_UNCONFIRMED };
  if (cursor === undefined) {
    const newest = await newestLedger(horizon, chain, now);
    // What came before the first start does not concern us. From then on what the account holds is
    // compared.
    await readArrived(watch, horizon, newest, { ledgers: [newest], isAtTip: true });
    const blocks = [{ ...newest, arrivals: [] }];
    return { ...step, tip: newest, blocks, complete: true };
  }
  const walked = await walkLedgers(horizon, chain, cursor, now);
  if (walked.ledgers.length === 0) return { ...step, tip: cursor, blocks: [], complete: true };
  const { known, tip, arrived, departures, isWhole } = await readArrived(
    watch,
    horizon,
    cursor,
    walked,
  );
  const told = await Promise.all(arrived.map((income) => tellReturned(watch, income)));
  const blocks = known.map((ledger): Block => {
    const own = told.filter(({ operationId }) => ledgerOf(operationId) === ledger.height);
    return {
      ...ledger,
      arrivals: own.map((income) => accountArrival(watch.account, income.memo, income)),
      departures: departuresIn(departures, ledger.height),
    };
  });
  return { ...step, tip, blocks, complete: walked.isAtTip && isWhole };
}

/** What we left for a receiver, who did not fetch it, is the transfer that comes back. */
async function tellReturned({ db, chain }: Watch, income: Income) {
  const { fetched } = income;
  const transferId = fetched === undefined ? undefined : await findCarriedBy(db, chain, fetched);
  if (transferId === undefined) return income;
  const remark = `its receiver never fetched it: taken back from the claimable balance ${fetched}`;
  return { ...income, transferId, remark };
}

/** What arrived and left above the recorded ledger, held against all it can be held against. */
async function readArrived(
  watch: Watch,
  horizon: Horizon,
  recorded: BlockReference,
  { ledgers, isAtTip }: WalkedLedgers,
) {
  const { chain, account, parameters, balances, assetIds, partRecords } = watch;
  const startAt = await balances.startAt(recorded);
  const { held, latestLedger } = await readState(watch, horizon);
  if (latestLedger === undefined) {
    throw nodeOutage(chain, NO_LEDGER);
  }
  // Behind a balancer the next answer may come from a Horizon that has seen less.
  const seen = ledgers.filter(({ height }) => height <= latestLedger);
  const last = seen.at(-1);
  if (last === undefined) throw nodeOutage(chain, 'the account is older than the ledgers');
  const source = { horizon, chain, account, networkId: parameters.networkId };
  const after = isAtTip ? startAt : recorded.height;
  const upTo = isAtTip ? latestLedger : last.height;
  const range = { recorded: recorded.height, tip: last.height, after, upTo, partRecords };
  const read = await readIncomes(source, range);
  const { incomes, movements, earlier, isWhole, readTo } = read;
  // More arrived than is read at once: the ledgers that were read whole are this step.
  const known = seen.filter(({ height }) => height <= readTo);
  const tip = known.at(-1) ?? last;
  const charges = openFeeCharges(source, isAtTip && isWhole ? latestLedger : tip.height);
  // Behind the tip nothing shows whether there were any.
  let isPaying = true;
  if (isAtTip && isWhole) {
    const askAgain = async () => (await readState(watch, horizon)).held;
    const facts = {
      charges,
      state: held,
      stateLedger: latestLedger,
      movements,
      earlier,
      askAgain,
    };
    isPaying = await balances.check({ ...facts, tip: tip.height });
    watch.kept.accept(held);
  }
  const departures = await readLedgerDepartures(source, {
    ...read,
    recorded: recorded.height,
    tip: tip.height,
    charges: isPaying ? await charges(recorded.height) : [],
    assetIds,
  });
  const isOurs = ({ assetId, isOwn }: Income) => !isOwn && assetIds.includes(assetId);
  const arrived = incomes.filter(isOurs);
  if (watch.horizons.length > 1) {
    const others = watch.turns.others();
    const asked = { ...source, others, recorded: recorded.height, tip };
    if (arrived.length > 0) await confirmIncomes({ ...asked, incomes: arrived, isOurs });
    if (departures.length > 0) await confirmDepartures({ ...asked, departures, assetIds });
  }
  return { known, tip, arrived, departures, isWhole };
}

/** @throws Refusal when Horizon is of another network. */
async function checkIdentity(watch: Watch, horizon: Horizon): Promise<void> {
  const { chain, parameters, uriSigner, kept } = watch;
  const root = requireFields((await horizon.get('/')).json, 'the root document');
  const passphrase = requireText(root, 'network_passphrase');
  if (passphrase !== parameters.passphrase) {
    throw anotherChain(
      `${chain} needs a Horizon of ${parameters.name}; this one is of "${passphrase}"`,
    );
  }
  watch.nodeVersion = requireText(root, 'horizon_version');
  const { held } = await readState(watch, horizon);
  if (kept.last() === NO_ACCOUNT) kept.accept(held);
  if (uriSigner !== undefined && held.signers.includes(uriSigner.publicKey)) {
    throw new Refusal('invalid', 'settings_invalid', [
      'STELLAR_URI_SIGNING_SECRET: this key can move the money of the account; take another one',
    ]);
  }
}

function advice(state: AccountState): string[] {
  if (state === NO_ACCOUNT) return ['the account does not exist yet: send lumens to it'];
  const clawed = [...state.balances].filter(([, balance]) => balance.canBeClawedBack);
  return [
    ...(state.requiresMemo ? [] : [MEMO_ADVICE]),
    ...clawed.map(([assetId]) => `${assetId} can be clawed back by its issuer`),
  ];
}

async function checkOther({ chain, parameters }: Watch, other: Horizon): Promise<void> {
  const root = (await other.get('/')).json;
  if (!isFields(root) || root.network_passphrase === parameters.passphrase) return;
  throw anotherChain(
    `${chain} needs Horizons of ${parameters.name}; ${other.host} is of another network`,
  );
}

/** A Horizon that refuses streams is not asked again at once. */
const STREAM_RETRY_MS = 60_000;
const MEMO_ADVICE =
  'set the data entry config.memo_required to 1 on the account, so that wallets ask for the memo (SEP-29)';
