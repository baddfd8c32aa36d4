// Identifiers and secrets that leave this service. Their shapes are promised: existing plugins
// check for 12 and 29 characters (api-contract.md 1).
import { type Random, randomInteger } from './random.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 12;

/** 12 characters [a-z0-9], 62 bits: unguessable in bulk, but not a secret. */
export function newId(random: Random): string {
  return newText(random, ID_LENGTH);
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
