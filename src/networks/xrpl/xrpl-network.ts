// The XRP Ledger, watched through servers of its public API: one account, customers told apart by a
// destination tag.
//
// Guarantees: only what is in validated ledgers is given, under the hash of the transaction;
// ledgers follow each other from the recorded one by hashes computed here; every transaction that
// touched the account is accounted for by the thread of its entry and by its balance; a payment is
// credited with what was delivered, never with what was asked to be delivered, and only when the
// balance rose by exactly that; tag, sender and receiver are read from what was signed; with two
// servers or more the account is the same at two. Anything else fails as an Outage and moves
// nothing. Not guaranteed: with a single server, that it has not made up a whole history.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { listReceiptsByTransaction } from '#chain/receipt.ts';
import type { Db } from '#db/db.ts';
import type {
  Arrival,
  BlockReference,
  Departure,
  Network,
  Observation,
  Position,
} from '#deposit/network.ts';
import type { Agreed, AgreedState } from '#networks/agreed-state.ts';
import { requireThat } from '#networks/answer-fields.ts';
import { askForPerson, askSecond, type Turns, takeTurns } from '#networks/ask-nodes.ts';
import { accountArrival, NOTHING_UNCONFIRMED } from '#networks/closed-ledgers.ts';
import { keepFees } from '#networks/keep-fees.ts';
import { type KeptState, keepState } from '#networks/kept-state.ts';
import { catchingUp, nodeOutage } from '#networks/node-outage.ts';
import { createWake } from '#runtime/loop.ts';
import { openAgreedAccount } from './agreed-account.ts';
import type { XrpDeparture } from './decide-departure.ts';
import type { XrpIncome } from './decide-income.ts';
import { draftXrplPayment, readXrplFee } from './draft-payment.ts';
import { readInfo, requireNetwork } from './identify-network.ts';
import { proveIncomes } from './prove-incomes.ts';
import {
  type AccountPoint,
  type AccountRoot,
  type AskedAccount,
  isSamePoint,
  NO_ACCOUNT_ROOT,
  readAccountRoot,
} from './read-account-root.ts';
import type { LedgerHeader } from './read-header.ts';
import type { ServerInfo } from './read-server-info.ts';
import { newestValidatedLedger, walkValidatedLedgers } from './walk-ledgers.ts';
import { accountRootIndex, classicAccountId } from './xrpl-address.ts';
import type { XrplChain } from './xrpl-chain.ts';
import { xrplPayee } from './xrpl-payee.ts';
import { xrplSender } from './xrpl-sender.ts';
import type { XrplServer } from './xrpl-server.ts';

type XrplNetworkOptions = {
  readonly chain: ChainId;
  readonly parameters: XrplChain;
  /** The first is asked, the others when it fails and to confirm what it says. */
  readonly servers: readonly XrplServer[];
  /** r...: the account that everybody pays to. */
  readonly account: string;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
};

/** Fewer than are given at once. */
const RECEIPTS_ASKED = 200;
const { defaultAssetId: ASSET } = getNetwork('XRP_LEDGER');

type Watch = Omit<XrplNetworkOptions, 'log'> & {
  readonly accountId: Buffer;
  readonly asked: AskedAccount;
  readonly agreed: AgreedState<AccountPoint>;
  readonly turns: Turns<XrplServer>;
  /** What can be received is offered by it. */
  readonly kept: KeptState<AccountRoot>;
  /** Hosts that state no network id, and are of our network all the same. */
  readonly silent: Set<string>;
  nodeVersion: string | undefined;
};

export function xrplNetwork(options: XrplNetworkOptions): Network {
  const { chain, parameters, servers, account, db, clock } = options;
  const accountId = getAccountId(account);
  const asked = { account, rootIndex: accountRootIndex(accountId) };
  const wake = createWake();
  const turns = takeTurns({ nodes: servers, chain, clock, nameOf: () => 'the server' });
  const kept = keepState<AccountRoot>({
    initial: NO_ACCOUNT_ROOT,
    clock,
    log: options.log.with({ chain }),
    read: () => turns.ask((server) => readState({ account, asked }, server)),
  });
  const agreed = openAgreedAccount({ db, chain, account });
  const found = { silent: new Set<string>(), nodeVersion: undefined };
  const watch: Watch = { ...options, accountId, asked, agreed, turns, kept, ...found };
  for (const server of servers) server.onLedger(() => wake.wake());
  // Processes that only serve never observe, and offer what is known.
  kept.current();

  return {
    ...xrplPayee(chain, parameters, account),
    identity: parameters.identity,
    receivableAssets() {
      return isReceivable(kept.current()) ? [ASSET] : [];
    },
    draft: (order) => askForPerson(turns, (server) => draftXrplPayment(account, server, order)),
    sender: xrplSender(account, turns),
    sendingFees: keepFees({
      ...options,
      read: () => askForPerson(turns, readXrplFee),
      feeOf: (units) => ({ assetId: ASSET, units }),
    }),
    async checkIdentity() {
      await turns.ask(async (server) => {
        const info = await readInfo(server);
        await requireOurs(watch, info, server);
        watch.nodeVersion = info.version;
        if (!kept.last().exists) kept.accept(await readState(watch, server));
      });
      await turns.checkOthers(async (server) => requireOurs(watch, await readInfo(server), server));
    },
    observe: (position) => turns.ask((server) => observe(watch, server, position)),
    waitForHint: (ms, signal) => wake.wait(ms, signal, clock),
    health: () => ({
      chain,
      description: `${parameters.name} server at ${turns.current().host}`,
      nodeVersion: watch.nodeVersion,
      ...turns.health(),
      advice: [...adviceOn(kept.last()), ...silentAdvice(watch.silent, parameters)],
    }),
    async holdings(_, cursor) {
      const { point } = await turns.ask((server) => readState(watch, server, cursor));
      return { upTo: cursor, units: new Map([[ASSET, point.drops]]) };
    },
    async close() {
      for (const server of servers) server.close();
    },
  };
}

/** At the end of a ledger, or of the newest validated one. */
async function readState(
  { account, asked }: Pick<Watch, 'account' | 'asked'>,
  server: XrplServer,
  ledger?: BlockReference,
): Promise<AccountRoot> {
  const ledger_index = ledger === undefined ? 'validated' : Number(ledger.height);
  const answer = await server.ask('account_info', { account, ledger_index }, ['actNotFound']);
  return readAccountRoot(answer, asked, ledger);
}

async function observe(
  watch: Watch,
  server: XrplServer,
  { cursor }: Position,
): Promise<Observation> {
  const { chain, clock, parameters, agreed } = watch;
  const newest = await newestValidatedLedger(server, chain, () => clock.now());
  // Afterwards: what it has whole must go up to the newest.
  const info = await readInfo(server);
  await requireUsable(watch, info, server, cursor);
  const step = { identity: parameters.identity, rollbackTo: undefined, ...NOTHING_UNCONFIRMED };
  if (cursor === undefined) {
    // What came before the first start does not concern us. From then on what the account holds is
    // compared.
    agreed.propose(await readTwice(watch, server, newest));
    const blocks = [{ ...newest, arrivals: [] }];
    return { ...step, tip: newest, blocks, complete: true };
  }
  const { headers, isAtTip } = await walkValidatedLedgers(server, chain, info, newest, cursor);
  const tip = headers.at(-1);
  if (tip === undefined) return { ...step, tip: cursor, blocks: [], complete: true };
  const { incomes, departures } = await readMoved(watch, server, cursor, headers, tip);
  const blocks = headers.map((header, index) => {
    // What was hidden until now belongs to ledgers before; the first that can still take it does.
    const isHere = ({ ledger }: { readonly ledger: bigint }) =>
      ledger === header.height || (index === 0 && ledger < header.height);
    return {
      ...header,
      arrivals: incomes.filter(isHere).map((income) => toArrival(watch.account, income)),
      departures: departures.filter(isHere).map(toDeparture),
    };
  });
  return { ...step, tip, blocks, complete: isAtTip };
}

/** What came and left above the recorded ledger, held against all it can be held against. */
async function readMoved(
  watch: Watch,
  server: XrplServer,
  recorded: BlockReference,
  headers: readonly LedgerHeader[],
  tip: LedgerHeader,
) {
  const { chain, asked, accountId, servers, agreed, kept } = watch;
  const start = (await agreed.at(recorded)) ?? (await readTwice(watch, server, recorded));
  const reading = readState(watch, server, tip);
  const question = {
    ...asked,
    accountId,
    server,
    what: chain,
    start,
    headers,
    findRecorded: (transactions: readonly string[]) => findRecorded(watch, transactions),
  };
  const [held, moved] = await Promise.all([
    reading,
    proveIncomes({ ...question, recorded: recorded.height, state: reading }),
  ]);
  const isMoved = moved.incomes.length > 0 || moved.departures.length > 0;
  if (isMoved && servers.length > 1) await confirm(watch, held, tip);
  agreed.propose({ ledger: tip.height, held: held.point });
  kept.accept(held);
  return moved;
}

async function findRecorded(
  { db, chain }: Watch,
  transactions: readonly string[],
): Promise<ReadonlySet<string>> {
  const recorded = new Set<string>();
  for (let from = 0; from < transactions.length; from += RECEIPTS_ASKED) {
    const some = transactions.slice(from, from + RECEIPTS_ASKED);
    for (const receipt of await listReceiptsByTransaction(db, some)) {
      if (receipt.chain === chain) recorded.add(receipt.creditKey);
    }
  }
  return recorded;
}

/** Asks twice: before anything can be compared, an account is believed when both answers agree. */
async function readTwice(
  watch: Watch,
  server: XrplServer,
  ledger: BlockReference,
): Promise<Agreed<AccountPoint>> {
  const { point } = await readState(watch, server, ledger);
  const again = await readState(watch, server, ledger);
  requireThat(isSamePoint(point, again.point), 'the account holds this, then that');
  watch.kept.accept(again);
  return { ledger: ledger.height, held: point };
}

/** A second opinion: the account is the same at another server, at the end of the same ledger. */
async function confirm(watch: Watch, { point }: AccountRoot, tip: LedgerHeader): Promise<void> {
  const { chain, turns } = watch;
  await askSecond({
    what: chain,
    others: turns.others(),
    kind: 'server',
    async confirm(server) {
      const other = await readState(watch, server, tip);
      requireThat(isSamePoint(other.point, point), 'the account is not the same');
    },
  });
}

function toArrival(account: string, { transaction, drops, tag, remark }: XrpIncome): Arrival {
  const paid = { creditKey: transaction, transaction, assetId: ASSET, units: drops, remark };
  return accountArrival(account, tag, paid);
}

function toDeparture({ transaction, feeDrops, sent }: XrpDeparture): Departure {
  const part = sent && {
    creditKey: transaction,
    destination: sent.destination,
    assetId: ASSET,
    units: sent.drops,
  };
  const fee = { assetId: ASSET, units: feeDrops };
  return { transaction, fee, parts: part === undefined ? [] : [part] };
}

/**
 * Once a ledger is recorded, whatever follows it by hashes belongs to the same network, so a server
 * that does not state its network need not prove it again.
 */
async function requireUsable(
  watch: Watch,
  info: ServerInfo,
  server: XrplServer,
  cursor: BlockReference | undefined,
): Promise<void> {
  if (info.networkId !== undefined || cursor === undefined) await requireOurs(watch, info, server);
  if (info.fault === undefined) return;
  const sentence = `${server.host} cannot be used`;
  if (info.isCatchingUp) throw catchingUp(watch.chain, `${sentence}: ${info.fault}`);
  throw nodeOutage(watch.chain, sentence, info.fault);
}

async function requireOurs(
  { servers, chain, parameters, silent }: Watch,
  info: ServerInfo,
  server: XrplServer,
): Promise<void> {
  const others = servers.filter((other) => other !== server);
  await requireNetwork({ server, info, others, what: chain, parameters });
  if (info.networkId === undefined) silent.add(server.host);
  else silent.delete(server.host);
}

/** The settings were checked when they were read. */
function getAccountId(account: string): Buffer {
  const accountId = classicAccountId(account);
  assert(accountId !== undefined, 'the account is a classic address');
  return accountId;
}

/** An account that is not funded yet takes no payment below the reserve. */
function isReceivable({ exists, refusesDeposits, disallowsXrp }: AccountRoot): boolean {
  return exists && !refusesDeposits && !disallowsXrp;
}

function adviceOn(state: AccountRoot): string[] {
  if (!state.exists) return ['the account does not exist yet: send it the reserve in XRP'];
  return [
    ...(state.requiresTag ? [] : [TAG_ADVICE]),
    ...(state.refusesDeposits ? ['nobody can pay the account: it has asfDepositAuth set'] : []),
    ...(state.disallowsXrp
      ? ['wallets will not send XRP: the account has asfDisallowXRP set']
      : []),
  ];
}

function silentAdvice(silent: ReadonlySet<string>, { checkpoint }: XrplChain): string[] {
  const known =
    checkpoint === undefined
      ? 'by a server that states it and has the same ledger'
      : `by ledger ${checkpoint.height} in its history`;
  return [...silent].map(
    (host) => `${host} states no network id; its network is known ${known}. Set its [network_id]`,
  );
}

const TAG_ADVICE =
  'set asfRequireDest on the account, so that payments without a destination tag are refused';
