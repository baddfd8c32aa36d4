// Codes of an authenticator app (RFC 6238: SHA-1, 30 seconds, six digits, which every app knows),
// and the recovery codes for whoever lost it. A code counts once, and the seed is sealed under the
// key of its person.

import * as OTPAuth from 'otpauth';
import type { Random } from '#base/random.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { bytes, defineTable, moment, optional, selectOnly, text } from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import { dataKeyOf, type Person, takeTotpStep } from './person.ts';
import { tokenHash } from './token.ts';

export const RECOVERY_CODE = defineTable('recovery_code', {
  personId: text(),
  hash: bytes,
  usedAt: selectOnly(optional(moment)),
});

const PERIOD_SECONDS = 30;
const SEED_BYTES = 20;
/** Clocks of phones are a little off: the code before and the one after count too. */
const STEPS_OFF = 1;
const CODES = 10;

type Keys = { readonly keyring: Keyring; readonly random: Random };

/** Base32, to be typed; and the address for a code that an app scans. */
export type TotpOffer = { readonly secret: string; readonly uri: string };

export function newTotp(
  { random }: Pick<Keys, 'random'>,
  issuer: string,
  email: string,
): TotpOffer {
  return offerOf(
    new OTPAuth.Secret({ buffer: random.bytes(SEED_BYTES).slice().buffer }),
    issuer,
    email,
  );
}

/** The same again from what the form holds; undefined when that is no seed. */
export function readTotp(secret: string, issuer: string, email: string): TotpOffer | undefined {
  if (!/^[A-Z2-7]{32}$/.test(secret)) return undefined;
  return offerOf(OTPAuth.Secret.fromBase32(secret), issuer, email);
}

function offerOf(secret: OTPAuth.Secret, issuer: string, email: string): TotpOffer {
  const totp = new OTPAuth.TOTP({ issuer, label: email, secret, period: PERIOD_SECONDS });
  return { secret: secret.base32, uri: totp.toString() };
}

export function sealTotp(
  { keyring }: Pick<Keys, 'keyring'>,
  person: Person,
  secret: string,
): Uint8Array {
  return keyring.seal(
    dataKeyOf(keyring, person),
    labelOf(person),
    new TextEncoder().encode(secret),
  );
}

function labelOf({ id }: Person): readonly string[] {
  return [id, 'totp'];
}

/** Undefined when it is wrong; else the step whose code it is. Pure. */
export function stepOfCode(
  secret: string,
  typed: string,
  now: Temporal.Instant,
): bigint | undefined {
  const token = typed.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const totp = new OTPAuth.TOTP({ secret, period: PERIOD_SECONDS });
  const timestamp = now.epochMilliseconds;
  const off = totp.validate({ token, timestamp, window: STEPS_OFF });
  return off === null ? undefined : BigInt(Math.floor(timestamp / 1000 / PERIOD_SECONDS) + off);
}

/** A code of the app, once. */
export async function isTotp(
  app: { readonly db: Db; readonly keyring: Keyring },
  person: Person,
  typed: string,
  now: Temporal.Instant,
): Promise<boolean> {
  if (person.sealedTotp === undefined) return false;
  const { keyring } = app;
  const opened = keyring.unseal(dataKeyOf(keyring, person), labelOf(person), person.sealedTotp);
  const step = stepOfCode(new TextDecoder().decode(opened), typed, now);
  return step !== undefined && (await takeTotpStep(app.db, person.id, step));
}

/** Replaces those there were. To be shown once. */
export function newRecoveryCodes({ keyring, random }: Keys, tx: Tx, personId: string): string[] {
  const codes = Array.from({ length: CODES }, () => {
    const digits = random.bytes(10).toHex().toUpperCase();
    return (digits.match(/.{5}/g) ?? []).join('-');
  });
  tx.send(sql`delete from recovery_code where person_id = ${personId}`);
  tx.send(
    RECOVERY_CODE.insert(
      codes.map((code) => ({ personId, hash: hashOf(keyring, personId, code) })),
    ),
  );
  return codes;
}

/** Each once. */
export async function useRecoveryCode(
  { db, keyring }: { readonly db: Db; readonly keyring: Keyring },
  personId: string,
  typed: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const hash = hashOf(keyring, personId, typed);
  const used = await db.single((tx) =>
    tx.query<{ hash: Uint8Array }>(sql`
      update recovery_code set used_at = ${now}
      where person_id = ${personId} and hash = ${hash} and used_at is null returning hash`),
  );
  return used.length === 1;
}

export async function countRecoveryCodes(db: Db, personId: string): Promise<number> {
  const [found] = await db.query<{ count: bigint }>(sql`
    select count(*) from recovery_code where person_id = ${personId} and used_at is null`);
  return Number(found?.count ?? 0n);
}

/** However it was typed: small letters, spaces, without its dashes. */
function hashOf(keyring: Keyring, personId: string, typed: string): Uint8Array {
  const code = typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  return tokenHash(keyring, 'recovery', JSON.stringify([personId, code]));
}
