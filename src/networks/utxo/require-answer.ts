// What a node answers, as what it should be. @throws NodeLie

import { NodeLie } from '#networks/answer-fields.ts';

export function requireCount(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new NodeLie(`${what} is no integer`);
}

export function requireBytes(value: unknown, what: string): Buffer {
  const text = typeof value === 'string' ? value : '';
  const bytes = Buffer.from(text, 'hex');
  if (bytes.length === 0 || bytes.length * 2 !== text.length) {
    throw new NodeLie(`${what} is missing or damaged`);
  }
  return bytes;
}
