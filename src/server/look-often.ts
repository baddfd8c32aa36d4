// Looks every minute at what answers slowly or elsewhere (who signs, gas accounts, the place of
// backups) and keeps what it found, so that the room of the operator says it without asking anybody
// and knows when each was in order last. Several processes may do it.

import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { getAsset } from '#catalog/asset.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Finding } from '#checkup/finding.ts';
import { listLooks, noteLooks } from '#checkup/last-look.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { LookLine } from '#pages/operator-port.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import { openSigners } from '#sending/open-signers.ts';
import { type GasLook, lookAtGas } from '#sending/sweep.ts';
import type { App } from './app.ts';
import { inTime, keepFresh } from './keep-fresh.ts';
import { findBackupAge } from './make-backups.ts';
import { findIncrementAge, INCREMENTS } from './make-increments.ts';

const LOOK_MS = 60_000;
/** The place of backups may be another machine. */
const BACKUP_MS = 600_000;
const PATIENCE_MS = 10_000;
const PLACE = 'place';

/** None where there is nothing of the kind. */
export function lookOften(app: App): Loop[] {
  if (listSubjects(app).length === 0) return [];
  const backup = keepFresh(app.clock, BACKUP_MS, () => lookAtBackup(app));
  const step = async () => {
    await lookOnce(app, backup);
    return 'idle' as const;
  };
  return [startLoop({ name: 'looks', step, idleMs: LOOK_MS, ...app })];
}

/** One look at everything. */
export async function lookOnce(
  app: App,
  backup: () => Promise<readonly BackupLook[]> = () => lookAtBackup(app),
): Promise<void> {
  const [signers, gas, backups] = await Promise.all([
    lookAtSigners(app),
    lookAtGasAccounts(app),
    backup(),
  ]);
  await app.db.transact(async (tx) => {
    const now = app.clock.now();
    noteLooks(tx, 'signer', signers, now);
    noteLooks(tx, 'gas', gas, now);
    noteLooks(tx, 'backup', backups, now);
  });
}

type Subject = Pick<LookLine, 'kind' | 'chain'> & { readonly subject: string };

const backupSubject = (subject: string): Subject => ({ kind: 'backup', chain: undefined, subject });

/** What there is to look at, by the settings. */
function listSubjects(app: App): Subject[] {
  const { to, walMinutes } = app.config.backup;
  return [
    ...[...openSigners(app).keys()].map(
      (chain): Subject => ({ kind: 'signer', chain, subject: chain }),
    ),
    ...gasChains(app).map((chain): Subject => ({ kind: 'gas', chain, subject: chain })),
    ...(to === undefined ? [] : [backupSubject(PLACE)]),
    ...(walMinutes === undefined ? [] : [backupSubject(INCREMENTS)]),
  ];
}

/** What was found last, of each that the settings name. */
export async function listLookLines(app: App): Promise<LookLine[]> {
  const known = await listLooks(app.db);
  return listSubjects(app).map(({ kind, chain, subject }) => ({
    kind,
    chain,
    found: known.find((one) => one.kind === kind && one.subject === subject),
  }));
}

function lookAtSigners(app: App): Promise<Finding[]> {
  return lookAtEach(
    [...openSigners(app)],
    ([chain]) => chain,
    async ([, signer]) => ({
      ok: true,
      detail: await inTime(app.clock, PATIENCE_MS, signer.check()),
    }),
    app,
  );
}

function gasChains({ networks }: Pick<App, 'networks'>): ChainId[] {
  return [...networks].flatMap(([chain, { sweeper }]) =>
    sweeper?.gasAccount === undefined ? [] : chain,
  );
}

/** Of each chain with an account that pays gas: whether what it holds is enough. */
export function lookAtGasAccounts(app: App): Promise<Finding[]> {
  return lookAtEach(
    gasChains(app),
    (chain) => chain,
    async (chain) => {
      const look = await inTime(app.clock, PATIENCE_MS, lookAtGas(app, chain));
      return look === undefined
        ? { ok: false, detail: 'there is no account that pays gas' }
        : { ok: look.isEnough, detail: gasText(look) };
    },
    app,
  );
}

function gasText({ account, coinAssetId, heldUnits, eachUnits, waiting, isEnough }: GasLook) {
  const { assetCode, decimals } = getAsset(coinAssetId);
  const amount = (units: bigint) => `${amountToText(units, decimals)} ${assetCode}`;
  const enoughFor = heldUnits / eachUnits;
  const waits = waiting === 0 ? '' : `, and ${waiting} wait`;
  const wanted = eachUnits * BigInt(Math.max(waiting, 1)) - heldUnits;
  const advice = isEnough ? '' : `: send it ${amount(wanted)} or more`;
  return (
    `${account} holds ${amount(heldUnits)}; each address with tokens takes at most ` +
    `${amount(eachUnits)} at the fees of now, so it is enough for ` +
    `${counted(enoughFor, 'address', 'addresses')}${waits}${advice}`
  );
}

type BackupLook = Finding & { readonly madeAt: Temporal.Instant | undefined };

async function lookAtBackup(app: App): Promise<BackupLook[]> {
  const [backup, increments] = await Promise.all([
    findBackupAge(app),
    app.config.backup.walMinutes === undefined ? undefined : findIncrementAge(app),
  ]);
  return [
    ...(backup === undefined ? [] : [{ what: PLACE, ...backup }]),
    ...(increments === undefined ? [] : [{ what: INCREMENTS, ...increments }]),
  ];
}

/** What cannot be asked is not in order, and says why. */
function lookAtEach<One>(
  all: readonly One[],
  nameOf: (one: One) => string,
  look: (one: One) => Promise<Pick<Finding, 'ok' | 'detail'>>,
  { log }: Pick<App, 'log'>,
): Promise<Finding[]> {
  return Promise.all(
    all.map(async (one): Promise<Finding> => {
      const what = nameOf(one);
      try {
        return { what, ...(await look(one)) };
      } catch (error) {
        if (!(error instanceof Refusal)) log.debug('it could not be asked', { what, error });
        return { what, ok: false, detail: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}
