// Identifiers and secrets that leave this service. Their shapes are promised: existing plugins
// check for 12 and 29 characters (api-contract.md 1).
import { type Random, randomInteger } from './random.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 12;

/** 12 characters [a-z0-9], 62 bits: unguessable in bulk, but not a secret. */
export function newId(random: Random): string {
  return newText(random, ID_LENGTH);
}

const SECONDS = 36 ** 5;

/**
 * The same for what there are millions of: five characters say the second, 36 bits are drawn. What
 * was made together lies together in every index over it, so that a new row finds the page that it
 * goes to in memory, and a list finds its rows on few of them. After 22 months the seconds begin
 * anew.
 */
export function newOrderedId(at: Temporal.Instant, random: Random): string {
  const second = Math.floor(at.epochMilliseconds / 1000) % SECONDS;
  return second.toString(36).padStart(5, '0') + newId(random).slice(5);
}

export function isId(text: string): boolean {
  return /^[a-z0-9]{12}$/.test(text);
}

/** Six groups of four [a-z0-9] joined by '-': 29 characters, 124 bits. */
export function newApiSecret(random: Random): string {
  return Array.from({ length: 6 }, () => newText(random, 4)).join('-');
}

function newText(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += LETTERS.charAt(randomInteger(random, LETTERS.length));
  return text;
}
