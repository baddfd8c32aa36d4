// Starts the loops of the roles this process was given. Roles meet only in tables: the wakes are
// shortcuts inside one process, and every loop also looks by itself.

import { sealActs } from '#audit/seal-acts.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import { watchLeaseOf } from '#chain/chain-report.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { reconcileHoldings } from '#custody/reconcile-holdings.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import type { Watcher } from '#deposit/network.ts';
import { settleDueDepositAddresses } from '#deposit-address/settle-deposit-address.ts';
import { digestEvents } from '#event/prove-events.ts';
import { payInvoices } from '#invoice/pay-invoices.ts';
import { holdLeases } from '#lease/hold-leases.ts';
import { recordHead } from '#ledger/head-record.ts';
import { followLedgerDays } from '#ledger/ledger-day.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { freeDrafts } from '#market/free-drafts.ts';
import { signConversions } from '#market/sign-conversions.ts';
import { makeSandboxBlocks } from '#networks/sandbox/make-blocks.ts';
import { watchNetwork } from '#networks/watch-network.ts';
import { createPriceSources, REFRESH_RATES_MS, refreshRates } from '#rates/refresh-rates.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import { nameProcess } from '#runtime/process-lock.ts';
import { carryOutActs, findStuck } from '#sending/carry-out-acts.ts';
import { openSigners } from '#sending/open-signers.ts';
import { freeTurns } from '#sending/release-attempts.ts';
import { sendBySigner } from '#sending/send-by-signer.ts';
import { carryOutSweeps, planAutomatic } from '#sending/sweep.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import { runSettlementRules } from '#settlement-rule/run-settlement-rules.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { settleCameBack } from '#suspense/settle-came-back.ts';
import { startTakings } from '#takings/follow-takings.ts';
import { openTraderClient } from '#trader/client.ts';
import { tradeOrders } from '#trading/trade-orders.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import type { App } from './app.ts';
import { onObserved, onSettled, tellChanges } from './changes.ts';
import type { Role } from './config.ts';
import { forgetOld } from './forget-old.ts';
import { lookOften } from './look-often.ts';
import { deliver, sendMails } from './run-outbox.ts';
import { tellEvents } from './tell-events.ts';
import { watchAlerts } from './watch-alerts.ts';

const SETTLE_IDLE_MS = 500;
const BLOCKS_IDLE_MS = 500;
const DEPARTURES_IDLE_MS = 1_000;
const SENT_IDLE_MS = 5_000;
const RULES_IDLE_MS = 5_000;
const SIGNER_IDLE_MS = 5_000;
const TRADER_IDLE_MS = 2_000;
const SWEEP_PLAN_MS = 600_000;
const INVOICES_IDLE_MS = 1_000;
const SUSPENSE_IDLE_MS = 5_000;
const SEAL_IDLE_MS = 10_000;
const DAYS_IDLE_MS = 1_000;
const REQUESTS_IDLE_MS = 1_000;
const SEAL_BATCH = 1_000;
const FEES_MS = 60_000;
const GIVEN_OUT_IDLE_MS = 2_000;
const HOLDINGS_MS = 60 * 60_000;
const RELOAD_RATES_MS = 15_000;

/** In the order in which they are to be stopped: first what observes, last what delivers. */
export function runRoles(app: App): Loop[] {
  const starters: Record<Role, () => Loop[]> = {
    serve: () => [
      tellChanges(app),
      keepRequests(app),
      lookUpGivenOut(app),
      readFees(app),
      ...(app.config.roles.includes('watch') ? [] : [reloadRates(app)]),
    ],
    watch: () => [
      ...watchNetworks(app),
      ...makeBlocks(app),
      ...playPayers(app),
      ...watchPrices(app),
      ...watchHoldings(app),
    ],
    settle: () => [
      settle(app),
      settleDeposits(app),
      sendTransfers(app),
      // Rules of settlement quote what they send.
      ...(app.config.roles.includes('serve') ? [] : [readFees(app)]),
      followRules(app),
      startTakings(app),
      sumDays(app),
      settleLeft(app),
      followSent(app),
      ...askSigners(app),
      ...askTrader(app),
      ...payWithNodes(app),
      settleUnclaimed(app),
      seal(app),
      tellEvents(app),
      ...watchAlerts(app),
      ...lookOften(app),
      ...forgetOld(app),
    ],
    deliver: () => [deliver(app), ...sendMails(app)],
  };
  const order: readonly Role[] = ['watch', 'serve', 'settle', 'deliver'];
  return order
    .filter((role) => app.config.roles.includes(role))
    .flatMap((role) => starters[role]());
}

/** Of several processes one watches a chain. What they lead is given up when they have stopped. */
function watchNetworks(app: App): Loop[] {
  const networks = [...app.networks.values()];
  if (networks.length === 0) return [];
  const nameOf = ({ chain }: Watcher) => watchLeaseOf(chain);
  const leases = holdLeases(app, nameProcess(), networks.map(nameOf));
  const watches = networks.map((network) => {
    const watchApp = { ...app, ...onObserved(app, network.chain) };
    return watchNetwork(watchApp, network, leases.leadership(nameOf(network)));
  });
  return [...watches, leases];
}

function makeBlocks(app: App): Loop[] {
  const chains = [...app.networks.keys()].filter((chain) => environmentOf(chain) === 'test');
  if (chains.length === 0) return [];
  const step = async () => {
    await makeSandboxBlocks(app, chains);
    return 'idle' as const;
  };
  return [startLoop({ name: 'make-blocks', step, idleMs: BLOCKS_IDLE_MS, ...app })];
}

/** Payers of test checkouts that act by themselves. */
function playPayers(app: App): Loop[] {
  const { sandbox } = app;
  if (sandbox === undefined) return [];
  const step = async () => ((await sandbox.play()) > 0 ? 'busy' : 'idle');
  return [startLoop({ name: 'play-payers', step, idleMs: BLOCKS_IDLE_MS, ...app })];
}

/** What a chain shows beside what the ledger says; a node that is away is asked the next time. */
function watchHoldings(app: App): Loop[] {
  const telling = [...app.networks.values()].filter(({ holdings }) => holdings !== undefined);
  return telling.map((network) => {
    const { chain } = network;
    const step = async (signal: AbortSignal) => {
      try {
        await reconcileHoldings(app, network, { waitMs: HOLDINGS_MS, signal });
      } catch (error) {
        if (!signal.aborted) app.log.warn('holdings could not be read', { chain, error });
      }
      return 'idle' as const;
    };
    return startLoop({ name: `holdings ${chain}`, step, idleMs: HOLDINGS_MS, ...app });
  });
}

/** The sources named in the settings; without any, live checkouts are offered only unconverted. */
function watchPrices(app: App): Loop[] {
  const known = createPriceSources({ clock: app.clock });
  const names =
    app.config.priceSources === 'all' ? known.map(({ name }) => name) : app.config.priceSources;
  if (names.length === 0) return [];
  const unknown = names.filter((name) => !known.some((source) => source.name === name));
  if (unknown.length > 0) {
    const all = known.map(({ name }) => name).join(', ');
    throw new Refusal('invalid', 'settings_invalid', [
      `PRICE_SOURCES: unknown ${unknown.join(', ')}; known are ${all}`,
    ]);
  }
  const priceSources = known.filter(({ name }) => names.includes(name));
  const step = async (signal: AbortSignal) => {
    await refreshRates({ ...app, priceSources }, signal);
    return 'idle' as const;
  };
  return [startLoop({ name: 'prices', step, idleMs: REFRESH_RATES_MS, ...app })];
}

/** What programs asked of the API. The last of it is written when the process ends. */
function keepRequests(app: App): Loop {
  const step = () => app.requestLog.write();
  const loop = startLoop({ name: 'requests', step, idleMs: REQUESTS_IDLE_MS, ...app });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      // What cannot be written was said in the log, and is over.
      while ((await step().catch(() => 'idle')) === 'busy');
    },
  };
}

/** Prices that another process fetched. */
function reloadRates(app: App): Loop {
  const step = async () => {
    await app.rates.reload();
    return 'idle' as const;
  };
  return startLoop({ name: 'reload-rates', step, idleMs: RELOAD_RATES_MS, ...app });
}

function settle(app: App): Loop {
  const settleApp = { ...app, ...onSettled(app) };
  return startLoop({
    name: 'settle',
    step: () => settleDueCheckouts(settleApp),
    idleMs: SETTLE_IDLE_MS,
    wake: app.wakes.settle,
    clock: app.clock,
    log: app.log,
  });
}

/** Where another process watches, this one has to look for itself what it may give out. */
function lookUpGivenOut(app: App): Loop {
  const step = async () => {
    for (const network of app.networks.values()) {
      if (app.givenOut.isSettled(network) || !isHeard(app, network)) continue;
      await app.givenOut.settle(network).catch((error: unknown) => {
        if (!(error instanceof Outage)) throw error;
        const { chain } = network;
        app.log.warn('what was given out before is not known yet', { chain, error });
      });
    }
    return 'idle' as const;
  };
  return startLoop({ name: 'given-out', step, idleMs: GIVEN_OUT_IDLE_MS, ...app });
}

/** What sending costs, for the quotes of this process. */
function readFees(app: App): Loop {
  const step = async () => {
    await Promise.all([...app.executors.values()].map((executor) => executor.readFees?.()));
    return 'idle' as const;
  };
  return startLoop({ name: 'fees', step, idleMs: FEES_MS, ...app });
}

function isHeard({ heard }: App, { chain, identity }: Watcher): boolean {
  return heard.hearingOf(chain, identity) === 'heard';
}

/** Money at deposit addresses. */
function settleDeposits(app: App): Loop {
  const step = () => settleDueDepositAddresses({ ...app, onTold: () => app.wakes.deliver.wake() });
  const wake = app.wakes.settleDeposits;
  return startLoop({ name: 'settle-deposits', step, idleMs: SETTLE_IDLE_MS, wake, ...app });
}

/** Outgoing money: sent, followed, and concluded with what stands on it. */
function sendTransfers(app: App): Loop {
  const transferApp = {
    ...app,
    ...transferGrounds(app),
    onTransferEnded() {
      app.wakes.deliver.wake();
      app.wakes.settle.wake();
    },
    onHandedOver: (chain: ChainId) => app.wakes.signer(chain).wake(),
  };
  return startLoop({
    name: 'transfers',
    step: () => runTransfers(transferApp),
    idleMs: SETTLE_IDLE_MS,
    wake: app.wakes.transfer,
    clock: app.clock,
    log: app.log,
  });
}

/** Balances that are settled by themselves. */
function followRules(app: App): Loop {
  const step = () => runSettlementRules(app);
  return startLoop({ name: 'settlement-rules', step, idleMs: RULES_IDLE_MS, ...app });
}

/** Money that left: transfers that a person sent, network fees, and what nobody ordered. */
function settleLeft(app: App): Loop {
  const departuresApp = { ...app, ...transferGrounds(app) };
  const step = async () => {
    if ((await settleDepartures(departuresApp)) > 0) {
      app.wakes.deliver.wake();
      app.wakes.settle.wake();
    }
    await freeDrafts(app);
    await freeTurns(app);
    return 'idle' as const;
  };
  const wake = app.wakes.departures;
  return startLoop({ name: 'departures', step, idleMs: DEPARTURES_IDLE_MS, wake, ...app });
}

/** What was sent and does not land, and what a person decided about it. */
function followSent(app: App): Loop {
  const actsApp = { ...app, ...transferGrounds(app) };
  const step = async () => {
    await findStuck(app);
    if ((await carryOutActs(actsApp)) > 0) {
      app.wakes.deliver.wake();
      app.wakes.settle.wake();
    }
    return 'idle' as const;
  };
  return startLoop({ name: 'sent', step, idleMs: SENT_IDLE_MS, ...app });
}

/** What waits to be sent where somebody signs it, and what is to be collected, chain by chain. */
function askSigners(app: App): Loop[] {
  const grounds = { ...app, ...transferGrounds(app), processId: nameProcess() };
  return [...openSigners(app)].map(([chain, signer]) => {
    let plannedMs = -SWEEP_PLAN_MS;
    const step = async () => {
      // What several owners sign waits for them; whoever signs here moves only what is our own.
      if (app.networks.get(chain)?.isCosigned !== true) {
        await sendBySigner({ ...grounds, signer }, chain);
        await signConversions({ ...grounds, signer }, chain);
      }
      if (app.clock.monotonicMs() - plannedMs >= SWEEP_PLAN_MS) {
        await planAutomatic(app, chain);
        plannedMs = app.clock.monotonicMs();
      }
      await carryOutSweeps({ ...grounds, signer }, chain);
      return 'idle' as const;
    };
    const wake = app.wakes.signer(chain);
    return startLoop({ name: `signer of ${chain}`, step, idleMs: SIGNER_IDLE_MS, wake, ...app });
  });
}

/** Orders of the house, where a program carries them out. */
function askTrader(app: App): Loop[] {
  const { trader } = app.config;
  if (trader === undefined) return [];
  const trading = { ...trader, client: openTraderClient(trader.socket) };
  const step = async () => {
    await tradeOrders(app, trading);
    return 'idle' as const;
  };
  return [startLoop({ name: 'trader', step, idleMs: TRADER_IDLE_MS, ...app })];
}

/** What waits to be sent over Lightning: paid by our own node, or seen to be paid by a person. */
function payWithNodes(app: App): Loop[] {
  const paying = [...app.networks.values()].filter(({ payer }) => payer !== undefined);
  const pauses = new Map<string, Temporal.Instant>();
  const payApp = { ...app, ...transferGrounds(app), pauses };
  return paying.map(({ chain }) => {
    const step = async () => {
      if ((await payInvoices(payApp, chain)) > 0) {
        app.wakes.deliver.wake();
        app.wakes.settle.wake();
      }
      return 'idle' as const;
    };
    return startLoop({ name: `payments on ${chain}`, step, idleMs: INVOICES_IDLE_MS, ...app });
  });
}

/** Money that nobody asked for: into suspense, and said aloud. */
function settleUnclaimed(app: App): Loop {
  const step = async () => {
    for (const chain of app.networks.keys()) {
      while ((await settleSuspense(app, chain)) > 0);
    }
    if ((await settleCameBack(app)) > 0) {
      app.wakes.deliver.wake();
      app.wakes.settle.wake();
    }
    return 'idle' as const;
  };
  return startLoop({ name: 'suspense', step, idleMs: SUSPENSE_IDLE_MS, ...app });
}

function sumDays(app: App): Loop {
  const step = () => followLedgerDays(app);
  return startLoop({ name: 'ledger-days', step, idleMs: DAYS_IDLE_MS, ...app });
}

function seal(app: App): Loop {
  const step = async () => {
    await digestEvents(app, { limit: SEAL_BATCH });
    const acts = await sealActs(app, { limit: SEAL_BATCH });
    const { sealed } = await sealEntries(app, { limit: SEAL_BATCH });
    await recordHead(app, app.config.ledgerHead);
    return Math.max(sealed, acts) >= SEAL_BATCH ? ('busy' as const) : ('idle' as const);
  };
  return startLoop({ name: 'seal', step, idleMs: SEAL_IDLE_MS, ...app });
}
