// Passwords: argon2id (RFC 9106) of Node itself, one text with its own figures, so that they can be
// raised later; and the rule of NIST SP 800-63B: long enough, none of the common ones, nothing else
// is asked for.

import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { codePointLength } from '#base/text.ts';
import { createBatch } from '#runtime/batch.ts';

/** What OWASP's cheat sheet on storing passwords asks for: 19 MiB, 2 passes, one lane. */
const COST = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const LEAST = 10;
/** More is no password but a way to keep a processor busy. */
const MOST = 200;
/** How many are computed at one time, each on a thread of its own: the others wait. */
const AT_ONCE = 2;

const derive = promisify(argon2);

type Figures = { readonly memory: number; readonly passes: number; readonly parallelism: number };
type Derivation = {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly figures: Figures;
};

const deriveInTurn = createBatch<Derivation, Uint8Array>({
  most: 1,
  atOnce: AT_ONCE,
  run: (inputs) =>
    Promise.all(
      inputs.map(({ password, salt, figures }) =>
        derive('argon2id', {
          // The same letters can be typed as one character or as two.
          message: password.normalize('NFKC'),
          nonce: salt,
          tagLength: TAG_BYTES,
          ...figures,
        }),
      ),
    ),
});

/** `about`: what belongs to the person, which others guess first. @throws Refusal invalid */
export async function checkNewPassword(password: string, about: readonly string[]): Promise<void> {
  const length = codePointLength(password);
  if (length < LEAST || length > MOST) {
    throw new Refusal('invalid', 'password_length', `password: ${LEAST} to ${MOST} characters`);
  }
  const plain = password.normalize('NFKC').toLowerCase();
  const letters = new Set(plain);
  // Loaded when somebody chooses a password, which is seldom.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const isOurs = about.some((one) => one.length > 3 && plain.includes(one.toLowerCase()));
  const isCommon = dictionary['passwords-common'].some(
    // A common one with a few characters around it is guessed as soon.
    (common) => common.length >= LEAST - 4 && plain.includes(common) && length - common.length < 4,
  );
  if (letters.size < 4 || isOurs || isCommon) {
    throw new Refusal('invalid', 'password_common', 'password: one that others guess soon');
  }
}

/** `argon2id$65536$3$1$<salt>$<tag>`, base64. */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES);
  const tag = await deriveInTurn({ password, salt, figures: COST });
  const { memory, passes, parallelism } = COST;
  return ['argon2id', memory, passes, parallelism, salt.toBase64(), base64Of(tag)].join('$');
}

/** An unknown person costs what a known one does: `hash` is undefined then, and nothing fits. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = (hash ?? NOBODY).split('$');
  const figures = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const given = password.length > 4 * MOST ? '' : password;
  const found = await deriveInTurn({ password: given, salt: Buffer.from(salt, 'base64'), figures });
  return timingSafeEqual(found, Buffer.from(tag, 'base64')) && hash !== undefined;
}

const NOBODY = [
  'argon2id',
  COST.memory,
  COST.passes,
  COST.parallelism,
  base64Of(new Uint8Array(SALT_BYTES)),
  base64Of(new Uint8Array(TAG_BYTES)),
].join('$');

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
