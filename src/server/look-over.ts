// Looks at everything an operator would look at first, and says what to do about what is wrong:
// `npx quittance doctor` and the dashboard show the same.

import { Outage, Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { type ChainReport, listChainReports, missingUnits } from '#chain/chain-report.ts';
import { checkDatabaseServer } from '#checkup/check-machine.ts';
import { checkUp } from '#checkup/check-up.ts';
import type { Finding } from '#checkup/finding.ts';
import { reconcileHoldings } from '#custody/reconcile-holdings.ts';
import { sql } from '#db/db.ts';
import { GAP_LOOKED_AT } from '#deposit/address-source.ts';
import type { Network } from '#deposit/network.ts';
import { findProxySeen } from '#installation/installation.ts';
import { listOpenDrafts, marketDraftFindings } from '#market/market-draft.ts';
import { listDomains, type MerchantDomain } from '#merchant/domain.ts';
import { checkDomain, proofFault, textRecordsBy } from '#merchant/verify-domain.ts';
import { amountToText } from '#money/asset-amount.ts';
import { findExcessRights } from '#postgres/runtime-role.ts';
import { openSigners } from '#sending/open-signers.ts';
import { openTraderClient } from '#trader/client.ts';
import type { App } from './app.ts';
import { listParked } from './list-parked.ts';
import { lookAtGasAccounts } from './look-often.ts';
import { backupFinding } from './make-backups.ts';
import { incrementFindings } from './make-increments.ts';
import { proxyAdvice } from './proxy-advice.ts';

const PARKED_MOST = 1_000;
/** The server reads a new block within seconds. */
const HOLDINGS_PATIENCE = { waitMs: 15_000 };

/** Money nobody decides on is bad; a shop that is away is not ours to mend. */
async function parkedFinding(app: App): Promise<Finding> {
  const parked = await listParked(app, app.clock.now(), PARKED_MOST);
  const what = 'parked';
  if (parked.length === 0) return { ok: true, what, detail: 'nothing waits for a person' };
  const ok = parked.every(({ id }) => /^(?:delivery|payment|mail):/.test(id));
  return { ok, what, detail: `${parked.length} wait: npx quittance parked list` };
}

/** Wallets look for money at so many unused addresses in a row (BIP-44). */
const WALLET_GAP = 20n;

type LookedOver = {
  readonly findings: readonly Finding[];
  readonly reports: readonly ChainReport[];
};

/** Asks nodes, signers and servers, which may take seconds. `withHoldings`: also what they hold. */
export async function lookOver(
  app: App,
  { withHoldings, database }: { readonly withHoldings: boolean; readonly database: string },
): Promise<LookedOver> {
  const unreachable = await askNodes(app, withHoldings);
  const reports = await listChainReports(app, app.clock.now());
  const checked = await checkUp(app.config, { clock: app.clock, isRunning: true });
  const findings: Finding[] = [
    { ok: true, what: 'database', detail: `${database} is durable and up to date` },
    await roleFinding(app),
    { ok: true, what: 'key file', detail: `${app.config.keyFile} fits the database` },
    await parkedFinding(app),
    await proxyFinding(app),
    ...checked,
    ...(await checkDatabaseServer(app.db, app)),
    ...(await replicaFindings(app)),
    await backupFinding(app),
    ...(await incrementFindings(app)),
    ...reports.map((report) => finding(app, report, unreachable.get(report.chain))),
    ...(await signerFindings(app)),
    ...(await gasFindings(app)),
    ...(await traderFindings(app)),
    ...marketDraftFindings(await listOpenDrafts(app.db)),
    ...(await domainFindings(app)),
  ];
  return { findings, reports };
}

async function proxyFinding(app: App): Promise<Finding> {
  const { config } = app;
  const advice = proxyAdvice(config, await findProxySeen(app, app.clock.now()));
  const { trustedProxies } = config;
  const proxies = trustedProxies.length === 0 ? 'none declared' : trustedProxies.join(', ');
  return { ok: advice === undefined, what: 'proxy', detail: advice ?? proxies };
}

/** A warning as well: what it is for is read from the database meanwhile. */
async function replicaFindings({ reads, config }: App): Promise<Finding[]> {
  if (reads === undefined || config.databaseReadUrl === undefined) return [];
  const [row] = await reads.query<{ isStandby: boolean }>(sql`
    select pg_is_in_recovery() as "isStandby"`);
  const away = 'warning: away, far behind, or no standby: reports are read from the database';
  return [
    { ok: true, what: 'replica', detail: row?.isStandby ? 'reports are read from it' : away },
  ];
}

/** A warning, not a fault: one role for everything works, it only protects less. */
async function roleFinding({ db }: App): Promise<Finding> {
  const excess = await findExcessRights(db);
  const advice = 'give it a role of its own and set DATABASE_OWNER_URL';
  const detail =
    excess === undefined
      ? 'the service cannot change what it wrote to the ledger'
      : `warning: ${excess}; ${advice}`;
  return { ok: true, what: 'database role', detail };
}

/** Why a node could not be asked, and what to do about it. */
export function adviceOn(error: unknown): string {
  if (error instanceof Outage && error.endsByItself) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  return `${reason}; look at the node and its settings`;
}

/** The same by chain. */
async function askNodes(app: App, withHoldings: boolean): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  const ask = async (network: Network) => {
    try {
      await network.checkIdentity();
      if (withHoldings) await reconcileHoldings(app, network, HOLDINGS_PATIENCE);
    } catch (error) {
      failures.set(network.chain, adviceOn(error));
    }
  };
  await Promise.all([...app.networks.values()].map(ask));
  return failures;
}

/** Whether those answer who sign what waits to be sent. */
async function signerFindings(app: App): Promise<Finding[]> {
  const look = async ([chain, signer]: readonly [
    ChainId,
    { check(): Promise<string> },
  ]): Promise<Finding> => {
    const what = `who signs ${networkOf(chain)}`;
    try {
      return { ok: true, what, detail: await signer.check() };
    } catch (error) {
      if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
      return { ok: false, what, detail: `${error.message}; what waits there is not sent` };
    }
  };
  return Promise.all([...openSigners(app)].map(look));
}

/** Whether the accounts that pay gas can go on doing so. */
async function gasFindings(app: App): Promise<Finding[]> {
  const looks = await lookAtGasAccounts(app);
  return looks.map(({ what, ...found }) => ({ what: `gas of ${what}`, ...found }));
}

/** Whether the accounts answer at which orders of the house are carried out. */
async function traderFindings({ config }: App): Promise<Finding[]> {
  if (config.trader === undefined) return [];
  const client = openTraderClient(config.trader.socket);
  const look = async (provider: string): Promise<Finding> => {
    const what = `trader at ${provider}`;
    try {
      const told = await client.balances(provider);
      if (told.answer === 'refused') return { ok: false, what, detail: told.reason };
      return { ok: true, what, detail: `${told.balances.length} balances` };
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      return { ok: false, what, detail: `${error.message}; no order is sent there` };
    }
  };
  return Promise.all(config.trader.providers.map(look));
}

/** Whether the domains of merchants still prove whose they are; unanswered is not well either. */
async function domainFindings(app: App): Promise<Finding[]> {
  const findTextRecords = textRecordsBy({ servers: app.config.dnsServers });
  const domains = await listDomains(app.db);
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== undefined);
  const look = async (domain: MerchantDomain): Promise<Finding> => {
    const what = domain.host;
    try {
      const proof = await checkDomain(app, findTextRecords, domain);
      return proof === 'proven'
        ? { ok: true, what, detail: `pages of ${domain.merchantId}; its proof stands` }
        : { ok: false, what, detail: `still served, but ${proofFault(domain, proof)}` };
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      return { ok: false, what, detail: `its proof could not be looked for: ${error.message}` };
    }
  };
  return Promise.all(verified.map(look));
}

function leaderText({ leader }: ChainReport): string {
  if (leader === undefined) return 'nobody watches it now';
  return `watched by process ${leader.pid} on ${leader.host}`;
}

function finding(app: App, report: ChainReport, unreachable: string | undefined): Finding {
  const { chain, status, description, nodeVersion } = report;
  const isSandbox = environmentOf(chain) === 'test';
  if (unreachable !== undefined) {
    return { ok: false, what: chain, detail: unreachable };
  }
  const node = [description, nodeVersion].filter((part) => part !== undefined).join(' ');
  if (status === undefined) {
    const detail = `${node}: not watched yet; start the server with role watch`;
    return { ok: isSandbox, what: chain, detail };
  }
  if (status.fault !== undefined && !isSandbox) {
    const detail = `${node}: stands still at block ${status.height}: ${status.fault}`;
    return { ok: false, what: chain, detail };
  }
  const advice =
    report.isBehind && !isSandbox ? 'behind: is the server running with role watch?' : undefined;
  const parts = [
    `at block ${status.height}, ${status.lag} behind`,
    report.newestBlockSeconds !== undefined && `newest ${report.newestBlockSeconds} s old`,
    `heard ${report.heardSecondsAgo} s ago`,
    leaderText(report),
    status.brake !== undefined && brakeText(status.brake, report.heldPayments),
    !isSandbox && `addresses from ${app.networks.get(chain)?.addressSource}`,
    !isSandbox && report.gap !== undefined && gapText(chain, report.gap),
    ...report.holdings.map(holdingText),
    ...report.advice,
    advice,
  ].filter((part) => typeof part === 'string');
  const ok = isSandbox || !report.isBehind;
  return { ok, what: chain, detail: `${node}: ${parts.join('; ')}` };
}

function brakeText(reason: string, heldPayments: bigint): string {
  const held =
    heldPayments === 0n ? '' : ` (${counted(heldPayments, 'large payment')} held until it ends)`;
  return `brake: ${reason}${held}`;
}

function gapText(
  chain: ChainId,
  { issued, unpaidInARow }: NonNullable<ChainReport['gap']>,
): string {
  const more = unpaidInARow >= GAP_LOOKED_AT ? ' or more' : '';
  const given = counted(issued, 'destination');
  const text = `${given} handed out, the last ${unpaidInARow}${more} unpaid`;
  // Memos, tags and references need no wallet to look ahead.
  const isDerived = getNetwork(networkOf(chain)).knownBy === 'address';
  if (!isDerived || unpaidInARow < WALLET_GAP) return text;
  return `${text} (to see all money in a wallet, set its gap limit above ${unpaidInARow})`;
}

export function holdingText(holding: ChainReport['holdings'][number]): string {
  const { assetCode, decimals } = getAsset(holding.assetId);
  const amount = (units: bigint) => `${amountToText(units, decimals)} ${assetCode}`;
  const { heldUnits, custodyUnits, underWayUnits, checkedAt } = holding;
  const missing = missingUnits(holding);
  const parts = [
    `holds ${amount(heldUnits)}`,
    `custody ${amount(custodyUnits)}`,
    underWayUnits !== 0n && `under way ${amount(underWayUnits)}`,
    missing > 0n && `${amount(missing)} less: moved by you, or missing`,
    missing < 0n && `${amount(-missing)} more than was received here`,
  ].filter((part) => typeof part === 'string');
  return `${parts.join(', ')} (${checkedAt.toString({ smallestUnit: 'second' })})`;
}
