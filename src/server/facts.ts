// How the installation is, in numbers: what is measured for whoever scrapes, and what alerts are
// decided by. Guarantees: each look is a few short statements, bounded whatever the shop has sold;
// at most one look in 15 seconds, whoever asks; no node is asked.

import { statfs } from 'node:fs/promises';
import type { ChainId } from '#catalog/chain.ts';
import { type ChainReport, listChainReports } from '#chain/chain-report.ts';
import { listLooks } from '#checkup/last-look.ts';
import { type DeliveryBacklog, measureDeliveries } from '#event/delivery.ts';
import { measureMails } from '#mail/mail.ts';
import { decimalToText } from '#money/decimal.ts';
import { openSigners } from '#sending/open-signers.ts';
import { readOpenUsd } from '#treasury/exposure.ts';
import type { App } from './app.ts';
import { inTime, keepFresh } from './keep-fresh.ts';
import { countParked } from './list-parked.ts';
import { findLogSlot } from './make-increments.ts';

export type Facts = {
  readonly at: Temporal.Instant;
  readonly chains: readonly ChainReport[];
  readonly deliveries: DeliveryBacklog;
  readonly mails: { readonly waiting: number; readonly oldestAt: Temporal.Instant | null };
  /** By kind, as `npx quittance parked list`. */
  readonly parked: Readonly<Record<string, number>>;
  /** Undefined where nobody is asked for prices. */
  readonly rates: RateFacts | undefined;
  /** Live conversions that are open; undefined where none are promised or no price is known. */
  readonly openUsd: string | undefined;
  readonly signers: readonly SignerFact[];
  /** As they were looked at last; none where the settings name no place. */
  readonly backups: readonly BackupFact[];
  /** What the server keeps until the next increment; undefined where none is made. */
  readonly heldLogBytes: bigint | undefined;
  /** Of the directory of data. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | undefined;
};

type RateFacts = {
  /** Of the oldest price that is used; undefined where none may be. */
  readonly oldestAt: Temporal.Instant | undefined;
  readonly usable: number;
};

type SignerFact = {
  readonly chain: ChainId;
  /** Why it does not sign; undefined: it does. */
  readonly fault: string | undefined;
};

type BackupFact = {
  /** `place`: of all rows; `increments`: of the log. */
  readonly kind: string;
  readonly ok: boolean;
  readonly madeAt: Temporal.Instant | undefined;
};

const FRESH_MS = 15_000;
const SIGNERS_FRESH_MS = 60_000;
const PATIENCE_MS = 10_000;

/** Undefined while the database does not answer. */
export type LookAtFacts = () => Promise<Facts | undefined>;

export function createFacts(app: App): LookAtFacts {
  const signers = keepFresh(app.clock, SIGNERS_FRESH_MS, () => lookAtSigners(app));
  return keepFresh(app.clock, FRESH_MS, () =>
    inTime(app.clock, PATIENCE_MS, gather(app, signers)).catch((error: unknown) => {
      app.log.warn('the installation could not be measured', { error });
      return undefined;
    }),
  );
}

async function gather(app: App, signers: () => Promise<readonly SignerFact[]>): Promise<Facts> {
  const { db, clock, rates, config } = app;
  const at = clock.now();
  // A process without prices of its own knows what others stored.
  if (app.hasPriceSources && !config.roles.includes('watch')) await rates.reload();
  const [chains, deliveries, mails, parked, signing, disk, open, looks, slot] = await Promise.all([
    listChainReports(app, at),
    measureDeliveries(db, at),
    measureMails(db),
    countParked(app, at),
    config.roles.includes('settle') ? signers() : [],
    lookAtDisk(config.dataDirectory),
    app.exposureLimitUsd === undefined ? undefined : readOpenUsd(rates, db, at),
    listLooks(db),
    findLogSlot(db),
  ]);
  const backups = looks.filter(({ kind }) => kind === 'backup');
  return {
    ...{ at, chains, deliveries, mails, parked, signers: signing, disk },
    backups: backups.map(({ subject: kind, ok, madeAt }) => ({ kind, ok, madeAt })),
    heldLogBytes: slot?.heldBytes,
    rates: app.hasPriceSources ? rates.ages(at) : undefined,
    openUsd: open && decimalToText(open),
  };
}

async function lookAtSigners(app: App): Promise<readonly SignerFact[]> {
  const look = async ([chain, signer]: readonly [ChainId, { check(): Promise<string> }]) => {
    try {
      await inTime(app.clock, PATIENCE_MS / 2, signer.check());
      return { chain, fault: undefined };
    } catch (error) {
      return { chain, fault: error instanceof Error ? error.message : String(error) };
    }
  };
  return Promise.all([...openSigners(app)].map(look));
}

async function lookAtDisk(path: string): Promise<Facts['disk']> {
  const found = await statfs(path).catch(() => undefined);
  if (found === undefined) return undefined;
  return { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize };
}
