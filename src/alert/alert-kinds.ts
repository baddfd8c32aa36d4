// What somebody is told of: how long it has to be wrong before he is, and how long right before it
// is over. A node that is away for a minute wakes nobody; a brake that comes and goes is one alert.

type AlertRule = {
  /** What it says, before what it is about. */
  readonly title: string;
  readonly onAfterSeconds: number;
  readonly offAfterSeconds: number;
  readonly remindAfterHours: number;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export const ALERT_RULES = {
  brake: rule('The brake is on', 2 * MINUTE, 10 * MINUTE, 12),
  node: rule('A network is not followed', 5 * MINUTE, 2 * MINUTE, 6),
  custody: rule('Less is held than the ledger says', 10 * MINUTE, 10 * MINUTE, 12),
  rates: rule('No current prices', 5 * MINUTE, 5 * MINUTE, 6),
  outbox: rule('Webhooks are not sent', 2 * MINUTE, 5 * MINUTE, 6),
  receivers: rule('Webhooks are not taken', HOUR, 10 * MINUTE, 24),
  mail: rule('Mails are not sent', 10 * MINUTE, 10 * MINUTE, 12),
  signer: rule('Who signs does not answer', 5 * MINUTE, 2 * MINUTE, 6),
  transfers: rule('Money on its way out is stuck', 15 * MINUTE, 5 * MINUTE, 12),
  sending: rule('Transfers wait for a person', 6 * HOUR, 5 * MINUTE, 24),
  undecided: rule('Payments could not be decided', MINUTE, MINUTE, 12),
  balance: rule('A balance is low', 5 * MINUTE, HOUR, 24),
  disk: rule('The disk is nearly full', 5 * MINUTE, 30 * MINUTE, 12),
  backup: rule('The last backup is too old', 0, 0, 24),
  increments: rule('Increments of the backup do not go on', 5 * MINUTE, 0, 24),
  ledger: rule('The ledger has faults', 0, 0, 6),
} as const satisfies Record<string, AlertRule>;

export type AlertKind = keyof typeof ALERT_RULES;

function rule(
  title: string,
  onAfterSeconds: number,
  offAfterSeconds: number,
  remindAfterHours: number,
): AlertRule {
  return { title, onAfterSeconds, offAfterSeconds, remindAfterHours };
}
