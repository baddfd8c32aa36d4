// Passkeys (WebAuthn 3): made and looked at by @simplewebauthn/server; stored here. Whoever holds
// one and unlocks it (a finger, a face, a PIN) is who he says, so no second proof is asked for.

import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { ConstraintViolation, type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  bytes,
  defineTable,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import type { Person } from './person.ts';
import { beginStep, takeStep } from './sign-in-step.ts';
import type { TokenKeys } from './token.ts';

export const PASSKEY = defineTable('passkey', {
  /** Base64url, as browsers say it. */
  credentialId: text(),
  personId: text(),
  publicKey: bytes,
  signCount: bigInteger,
  label: text(),
  createdAt: moment,
  usedAt: selectOnly(optional(moment)),
});
export type Passkey = Row<typeof PASSKEY>;

export type PasskeyApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: TokenKeys;
  readonly publicUrl: string;
};

/** For the browser: what its credentials API is asked, and what comes back with the answer. */
export type PasskeyQuestion = { readonly options: object; readonly step: string };

const CHALLENGE_BYTES = 32;
const LABEL_MOST = 60;
/** Of one person. */
export const PASSKEYS_MOST = 20;

/** Passkeys belong to a host name: not to an address, and only over https or on this machine. */
export function hasPasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return !isAddress && (protocol === 'https:' || hostname === 'localhost');
}

export async function askForNewPasskey(app: PasskeyApp, person: Person): Promise<PasskeyQuestion> {
  const known = await listPasskeys(app.db, person.id);
  if (known.length >= PASSKEYS_MOST) {
    throw new Refusal(
      'conflict',
      'passkeys_most',
      `more than ${PASSKEYS_MOST} passkeys: remove one`,
    );
  }
  const challenge = app.random.bytes(CHALLENGE_BYTES);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Quittance',
    rpID: hostOf(app),
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(new TextEncoder().encode(person.id)),
    challenge: new Uint8Array(challenge),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const step = await beginStep(app, {
    kind: 'ENROL',
    personId: person.id,
    challenge: base64urlOf(challenge),
  });
  return { options, step };
}

/** `answer`: what the browser said, as JSON. @throws Refusal invalid `passkey` */
export async function readNewPasskey(
  app: PasskeyApp,
  person: Person,
  { step: token, answer, label }: { step: string; answer: string; label: string },
): Promise<Passkey> {
  const step = await takeStep(app, 'ENROL', token);
  if (step === undefined || step.personId !== person.id) throw noPasskey();
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verified = await tried(() =>
    verifyRegistrationResponse({
      response: JSON.parse(answer),
      expectedChallenge: step.challenge,
      expectedOrigin: new URL(app.publicUrl).origin,
      expectedRPID: hostOf(app),
      requireUserVerification: true,
    }),
  );
  if (!verified.verified) throw noPasskey();
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const name = label.trim().replaceAll(/\s+/gu, ' ').slice(0, LABEL_MOST);
  return {
    credentialId: id,
    personId: person.id,
    publicKey: new Uint8Array(publicKey),
    signCount: BigInt(counter),
    label: name === '' ? 'Passkey' : name,
    createdAt: app.clock.now(),
    usedAt: undefined,
  };
}

/** @throws Refusal conflict when it is somebody's already. */
export async function storePasskey(db: Db, { usedAt, ...passkey }: Passkey): Promise<void> {
  try {
    await db.single((tx) => tx.query(PASSKEY.insert([passkey])));
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error;
    throw new Refusal('conflict', 'passkey_known', 'this passkey is known already', {
      cause: error,
    });
  }
}

export async function askForPasskey(app: PasskeyApp): Promise<PasskeyQuestion> {
  const challenge = app.random.bytes(CHALLENGE_BYTES);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: hostOf(app),
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
  });
  const step = await beginStep(app, {
    kind: 'PASSKEY',
    personId: undefined,
    challenge: base64urlOf(challenge),
  });
  return { options, step };
}

/** Whose passkey answered. @throws Refusal unauthenticated `passkey` */
export async function readPasskey(
  app: PasskeyApp,
  { step: token, answer }: { readonly step: string; readonly answer: string },
): Promise<string> {
  const step = await takeStep(app, 'PASSKEY', token);
  if (step === undefined) throw wrongPasskey();
  const response = await tried(async () => JSON.parse(answer));
  const passkey = await PASSKEY.find(app.db, sql`where credential_id = ${String(response?.id)}`);
  if (passkey === undefined) throw wrongPasskey();
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await tried(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: step.challenge,
      expectedOrigin: new URL(app.publicUrl).origin,
      expectedRPID: hostOf(app),
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.signCount),
      },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw wrongPasskey();
  const { newCounter } = authenticationInfo;
  await app.db.single((tx) =>
    tx.query(sql`
      update passkey set sign_count = ${BigInt(newCounter)}, used_at = ${app.clock.now()}
      where credential_id = ${passkey.credentialId}`),
  );
  return passkey.personId;
}

export function listPasskeys(reader: Reader, personId: string): Promise<Passkey[]> {
  return PASSKEY.select(
    reader,
    sql`where person_id = ${personId} order by created_at, credential_id`,
  );
}

export function deletePasskey(tx: Tx, personId: string, credentialId: string): void {
  tx.send(sql`
    delete from passkey where person_id = ${personId} and credential_id = ${credentialId}`);
}

/** When somebody comes with one: 300 files, a seventh of what the start of the program costs. */
function loadWebAuthn() {
  return import('@simplewebauthn/server');
}

function hostOf({ publicUrl }: PasskeyApp): string {
  return new URL(publicUrl).hostname;
}

/** The library throws what it says about an answer that does not fit; people are told one thing. */
async function tried<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    throw wrongPasskey({ cause: error });
  }
}

function wrongPasskey(options?: ErrorOptions): Refusal {
  const message = 'this passkey does not open anything here';
  return new Refusal('unauthenticated', 'passkey_wrong', message, options);
}

function noPasskey(): Refusal {
  return new Refusal('invalid', 'passkey', 'the passkey was not made: begin again');
}

function base64urlOf(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}
