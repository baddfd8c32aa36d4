// The commands of the service, beside a running server over the same data, or alone.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { jsonLog, type Log } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { findPublicUrl } from '#installation/installation.ts';
import { type App, openApp } from '#server/app.ts';
import { type Config, readConfig } from '#server/config.ts';
import { type OpenDatabase, openDatabase } from '#server/open-database.ts';
import { readSettingsFile } from '#server/settings.ts';
import { alertList, alertTest } from './alert.ts';
import { allowListAdd, allowListAny, allowListList, allowListRemove } from './allow-list.ts';
import { auditList, auditVerify } from './audit.ts';
import { backup, backupKey, backupList, backupVerify } from './backup.ts';
import { backupWal } from './backup-wal.ts';
import { bankFiles, bankImport, bankStatus, sendRelease } from './bank-file.ts';
import { chainRelease, chainRewind } from './chain.ts';
import { checkoutShow } from './checkout.ts';
import type { Asking, Command, PlaceContext } from './command.ts';
import {
  custodyConsolidate,
  custodyExplain,
  custodyGone,
  custodyList,
  custodyReplace,
  custodySettle,
  custodySigned,
  custodySpeedUp,
  custodySweep,
} from './custody.ts';
import { doctor } from './doctor.ts';
import {
  merchantDomainAdd,
  merchantDomainList,
  merchantDomainRemove,
  merchantDomainVerify,
} from './domain.ts';
import { distributeInstallation, migrateDatabase, restored, showSettings } from './installation.ts';
import {
  keyBasic,
  keyCreate,
  keyList,
  keyPrefer,
  keyRevoke,
  keyRotate,
  keyVersion,
} from './key.ts';
import { languageCheck } from './language.ts';
import { ledgerVerify } from './ledger.ts';
import { approvalGive, approvalList, limitList, limitRemove, limitSet } from './limit.ts';
import {
  mailAllow,
  mailList,
  mailReport,
  mailRetry,
  mailStop,
  mailStops,
  mailTest,
} from './mail.ts';
import { merchantMailWordsList, merchantMailWordsSet } from './mail-words.ts';
import { merchantCreate, merchantList } from './merchant.ts';
import {
  merchantPageDarkLogo,
  merchantPageFontFile,
  merchantPageLogo,
  merchantPageSet,
  merchantPageShow,
  merchantPageUnset,
} from './merchant-page.ts';
import { merchantSet, merchantShow } from './merchant-settings.ts';
import { merchantPageWordsList, merchantPageWordsSet } from './page-words.ts';
import { parkedDiscard, parkedList, parkedRetry } from './parked.ts';
import { personEnd, personInvite, personList } from './person.ts';
import { reportExport, reportHouse, reportTable } from './report.ts';
import { restore } from './restore.ts';
import { type CommandProgram, type Lines, type Opened, runCommand } from './run-command.ts';
import {
  sandboxExpire,
  sandboxFreeze,
  sandboxMine,
  sandboxPay,
  sandboxReorg,
  sandboxReplace,
} from './sandbox.ts';
import {
  sendBump,
  sendCancel,
  sendConfirm,
  sendDraft,
  sendLanded,
  sendList,
  sendShow,
  sendSignedTransaction,
} from './send.ts';
import { sendLeft, sendTakeBack } from './send-take-back.ts';
import {
  merchantSettleRuleAdd,
  merchantSettleRuleDelete,
  merchantSettleRuleList,
  merchantSettleRulePause,
  merchantSettleRuleResume,
} from './settle-rule.ts';
import { setup } from './setup.ts';
import { suspenseAssign, suspenseList, suspenseReturn, suspenseWriteOff } from './suspense.ts';
import {
  treasuryCancel,
  treasuryFill,
  treasuryList,
  treasuryOrder,
  treasuryPlace,
  treasuryPositionCommand,
  treasuryShow,
  treasuryUnfill,
} from './treasury.ts';
import {
  treasuryArrived,
  treasuryBalance,
  treasuryMove,
  treasuryPolicyList,
  treasuryPolicySet,
} from './treasury-provider.ts';
import {
  treasuryLiquidityRemove,
  treasuryLiquiditySet,
  treasuryTargetRemove,
  treasuryTargetSet,
} from './treasury-target.ts';
import {
  treasuryDepositAddress,
  treasuryDraft,
  treasuryExplain,
  treasuryReconcile,
  treasuryTrades,
  treasuryWithdraw,
} from './treasury-trader.ts';
import { webhookSecret, webhookVersion } from './webhook.ts';

export const SERVICE_COMMANDS: readonly Command<PlaceContext>[] = [
  merchantCreate,
  merchantList,
  merchantSet,
  merchantShow,
  merchantSettleRuleAdd,
  merchantSettleRuleList,
  merchantSettleRulePause,
  merchantSettleRuleResume,
  merchantSettleRuleDelete,
  merchantPageShow,
  merchantPageSet,
  merchantPageLogo,
  merchantPageDarkLogo,
  merchantPageFontFile,
  merchantPageUnset,
  merchantMailWordsList,
  merchantMailWordsSet,
  merchantPageWordsList,
  merchantPageWordsSet,
  merchantDomainAdd,
  merchantDomainVerify,
  merchantDomainList,
  merchantDomainRemove,
  personInvite,
  personList,
  personEnd,
  keyCreate,
  keyList,
  keyRotate,
  keyRevoke,
  keyBasic,
  keyPrefer,
  keyVersion,
  allowListAdd,
  allowListRemove,
  allowListAny,
  allowListList,
  auditList,
  auditVerify,
  approvalList,
  approvalGive,
  limitSet,
  limitRemove,
  limitList,
  checkoutShow,
  webhookSecret,
  webhookVersion,
  bankImport,
  bankStatus,
  bankFiles,
  languageCheck,
  ledgerVerify,
  reportExport,
  reportHouse,
  reportTable,
  alertList,
  alertTest,
  mailAllow,
  mailList,
  mailReport,
  mailRetry,
  mailStop,
  mailStops,
  mailTest,
  parkedList,
  parkedRetry,
  parkedDiscard,
  sendList,
  sendShow,
  sendDraft,
  sendRelease,
  sendSignedTransaction,
  sendBump,
  sendCancel,
  sendLanded,
  sendLeft,
  sendTakeBack,
  sendConfirm,
  custodyList,
  custodyExplain,
  custodySettle,
  custodyGone,
  custodySweep,
  custodyConsolidate,
  custodySpeedUp,
  custodyReplace,
  custodySigned,
  suspenseList,
  suspenseAssign,
  suspenseReturn,
  suspenseWriteOff,
  treasuryPositionCommand,
  treasuryList,
  treasuryShow,
  treasuryOrder,
  treasuryPlace,
  treasuryFill,
  treasuryUnfill,
  treasuryCancel,
  treasuryMove,
  treasuryArrived,
  treasuryBalance,
  treasuryReconcile,
  treasuryTrades,
  treasuryExplain,
  treasuryDepositAddress,
  treasuryWithdraw,
  treasuryPolicyList,
  treasuryPolicySet,
  treasuryDraft,
  treasuryLiquiditySet,
  treasuryLiquidityRemove,
  treasuryTargetSet,
  treasuryTargetRemove,
  sandboxPay,
  sandboxMine,
  sandboxReplace,
  sandboxReorg,
  sandboxExpire,
  sandboxFreeze,
  setup,
  migrateDatabase,
  distributeInstallation,
  chainRelease,
  chainRewind,
  backupList,
  backupVerify,
  backupKey,
  backupWal,
  backup,
  restore,
  restored,
  doctor,
  showSettings,
];

export type Terminal = Lines & {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What relative paths of settings begin at. */
  readonly directory: string;
  /** What a person who watches may see of a long command. */
  onProgress(step: string): void;
  /** Where a person sits at it. */
  readonly person?: Omit<Asking, 'say'> | undefined;
};

const PROGRAM: CommandProgram<PlaceContext> = {
  commands: SERVICE_COMMANDS,
  about:
    'Works beside a running server over the same DATA_DIR or DATABASE_URL, or alone.\n' +
    'What holds keys is a program of its own: npx quittance sign --help, quittance trade --help',
};

/** Gives the exit code. */
export function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  return runCommand(PROGRAM, args, terminal, () => createContext(terminal));
}

function createContext({
  environment,
  directory,
  say,
  complain,
  onProgress,
  person,
}: Terminal): Opened<PlaceContext> {
  let database: Promise<OpenDatabase> | undefined;
  let app: Promise<App> | undefined;
  const log = jsonLog(complain, 'error', systemClock);
  const config = () => readConfig({ environment, file: readSettingsFile(environment), directory });
  // `doctor` looks; a key file it made would fit nothing.
  const parts = { clock: systemClock, random: systemRandom, log, createsKeyFile: false };
  const context: PlaceContext = {
    environment,
    directory,
    onProgress,
    terminal: person && { ...person, say },
    readConfig: config,
    clock: systemClock,
    log,
    openDatabase() {
      database ??= openKnownDatabase(config(), log, complain);
      return database;
    },
    openApp() {
      app ??= context.openDatabase().then(async ({ db }) => {
        const known = config();
        const isTold = known.publicUrl !== `http://localhost:${known.port}`;
        const served = isTold ? undefined : await findPublicUrl(db);
        return openApp({ ...known, publicUrl: served ?? known.publicUrl }, { ...parts, db });
      });
      return app;
    },
  };
  return {
    context,
    async close() {
      const [openedApp] = await Promise.allSettled([app]);
      if (openedApp.status === 'fulfilled' && openedApp.value !== undefined) {
        await Promise.all([...openedApp.value.networks.values()].map((one) => one.close()));
      }
      const [openedDatabase] = await Promise.allSettled([database]);
      if (openedDatabase.status === 'fulfilled') await openedDatabase.value?.close();
    },
  };
}

/** A command in the wrong place must not make a database there, and answer from that. */
async function openKnownDatabase(
  config: Config,
  log: Log,
  complain: Terminal['complain'],
): Promise<OpenDatabase> {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === undefined && !existsSync(join(dataDirectory, 'postgres', 'cluster'))) {
    throw new Refusal('conflict', 'database_missing', [
      `there is no database in ${dataDirectory}: set DATA_DIR to where the server keeps its ` +
        'data, or start it there first (npm start). Commands that have --profile ask an ' +
        'installation over HTTP with it',
    ]);
  }
  return openDatabase(config, log, complain);
}
