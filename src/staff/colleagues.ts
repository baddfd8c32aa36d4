// Who may do what with a merchant, changed by an owner. A merchant is never left without an owner.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import {
  deleteMembership,
  listMemberships,
  lockOwners,
  lockPerson,
  putMembership,
} from './person.ts';
import type { StaffRole } from './role.ts';
import { endAllSessions } from './session.ts';

type ColleaguesApp = { readonly db: Db; readonly clock: Clock };

type Change = {
  readonly actor: string;
  readonly merchantId: string;
  readonly personId: string;
};

/** @throws Refusal missing, conflict `last_owner` */
export function changeRole(
  app: ColleaguesApp,
  change: Change & { readonly role: StaffRole },
): Promise<void> {
  return withColleague(app, change, (tx, before, now) => {
    const { personId, merchantId, role, actor } = change;
    putMembership(tx, { personId, merchantId, role, grantedAt: now });
    noteAct(tx, {
      actedAt: now,
      actor,
      verb: 'person-role',
      subject: `person:${personId}`,
      merchantId,
      details: { before, after: role },
    });
  });
}

/** Of one merchant: with others he stays what he is. Whoever is of none any more is signed out. */
export function removeColleague(app: ColleaguesApp, change: Change): Promise<void> {
  return withColleague(app, { ...change, role: undefined }, async (tx, before, now) => {
    const { personId, merchantId, actor } = change;
    deleteMembership(tx, personId, merchantId);
    const left = await listMemberships(tx, personId);
    if (left.length === 0) endAllSessions(tx, personId, now);
    noteAct(tx, {
      actedAt: now,
      actor,
      verb: 'person-remove',
      subject: `person:${personId}`,
      merchantId,
      details: { before },
    });
  });
}

/** Ends a person in the whole installation; his name stays in the trail. @throws Refusal */
export function endPerson(
  app: ColleaguesApp,
  { actor, personId }: Pick<Change, 'actor' | 'personId'>,
): Promise<void> {
  return app.db.transact(async (tx) => {
    const { email } = await lockPerson(tx, personId);
    for (const { merchantId, role } of await listMemberships(tx, personId)) {
      if (role === 'OWNER') await keepOneOwner(tx, merchantId, personId);
    }
    const now = app.clock.now();
    tx.send(sql`update person set left_at = ${now}, email = ${`${personId}@left.invalid`},
      password_hash = null, sealed_totp = null where id = ${personId}`);
    tx.send(sql`delete from passkey where person_id = ${personId}`);
    tx.send(sql`delete from membership where person_id = ${personId}`);
    endAllSessions(tx, personId, now);
    noteAct(tx, {
      actedAt: now,
      actor,
      verb: 'person-end',
      subject: `person:${personId}`,
      details: { email },
    });
  });
}

function withColleague(
  app: ColleaguesApp,
  { merchantId, personId, role }: Change & { readonly role: StaffRole | undefined },
  work: (tx: Tx, before: StaffRole, now: Temporal.Instant) => void | Promise<void>,
): Promise<void> {
  return app.db.transact(async (tx) => {
    if (role !== 'OWNER') await keepOneOwner(tx, merchantId, personId);
    const memberships = await listMemberships(tx, personId);
    const before = memberships.find((one) => one.merchantId === merchantId)?.role;
    if (before === undefined)
      throw new Refusal('missing', 'person', 'nobody of this merchant is that');
    await work(tx, before, app.clock.now());
  });
}

async function keepOneOwner(tx: Tx, merchantId: string, without: string): Promise<void> {
  const owners = await lockOwners(tx, merchantId);
  if (owners.length === 1 && owners[0] === without) {
    throw new Refusal(
      'conflict',
      'last_owner',
      'a merchant has one owner at least: make another first',
    );
  }
}
