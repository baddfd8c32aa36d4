// What the operator does to a limit. Guarantees: whatever makes the limit of one person weaker (a
// higher amount, none at all) is done on the word of two, as what it protects is; an approval is of
// one change, from the amount that holds to the new one, and used once. What makes a limit tighter
// holds at once. Not guaranteed: that a limit for the day or for free addresses has two people.
import type { Db } from '#db/db.ts';
import { type ApprovalApp, sayAgain, takeApproval } from './approval.ts';
import {
  findLimit,
  type LimitName,
  limitText,
  lockSpending,
  measuredText,
  removeLimit,
  type SpendingLimit,
  setLimit,
} from './spending-limit.ts';

type LimitSaid = Pick<SpendingLimit, 'actor' | 'reason' | 'setAt'> & {
  /** Undefined takes it away. */
  readonly mostUnits: bigint | undefined;
};
type ChangeApp = Pick<ApprovalApp, 'clock' | 'keyring'> & { readonly db: Db };

/** @throws Refusal conflict `second_person`; missing `limit_missing` */
export async function changeLimit(
  app: ChangeApp,
  name: LimitName,
  { mostUnits, ...said }: LimitSaid,
): Promise<void> {
  const { environment, merchantId = '' } = name;
  const subject = subjectOf(name);
  const isDone = await app.db.transact(async (tx) => {
    await lockSpending(tx, { environment, merchantId });
    const before = await findLimit(tx, name);
    if (before !== undefined && isWeaker(before, mostUnits)) {
      // Of the house: a key of the merchant does not help to lift what holds for it.
      const owner = { environment, merchantId: undefined };
      const words = [`${before.mostUnits}`, `${mostUnits ?? 'none'}`];
      const about = aboutOf(before, mostUnits);
      const act = { subject, ...owner, about, actor: said.actor, words };
      if (!(await takeApproval(app, tx, act))) return false;
    }
    if (mostUnits === undefined) await removeLimit(tx, name, said);
    else setLimit(tx, { ...name, ...said, mostUnits });
    return true;
  });
  if (!isDone) throw sayAgain(subject, 'it makes the limit of one person weaker');
}

/** Whether it lets one person do more alone; another limit does not, since each holds that fits. */
function isWeaker(before: SpendingLimit, mostUnits: bigint | undefined): boolean {
  if (before.kind !== 'TWO_PEOPLE') return false;
  return mostUnits === undefined || mostUnits > before.mostUnits;
}

function aboutOf(before: SpendingLimit, mostUnits: bigint | undefined): string {
  const { merchantId, environment, measure } = before;
  const whose = merchantId === undefined ? 'every merchant' : `merchant ${merchantId}`;
  const after =
    mostUnits === undefined ? 'taken away' : `raised to ${measuredText(measure, mostUnits)}`;
  return `limit of one person for ${whose} (${environment}): ${limitText(before)} is ${after}`;
}

function subjectOf({ kind, measure, environment, merchantId }: LimitName): string {
  return `limit:${kind}:${measure}:${environment}:${merchantId ?? 'everyone'}`;
}
