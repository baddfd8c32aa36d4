// What a node answers, as what it should be. @throws NodeLie

import { isFields, NodeLie } from '#networks/answer-fields.ts';

const hashPattern = /^[0-9a-f]{64}$/;

export function requireRecord(value: unknown, what: string): Record<string, unknown> {
  if (!isFields(value)) throw new NodeLie(`${what} is missing or malformed`);
  return value;
}

export function requireList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new NodeLie(`${what} are missing or malformed`);
  return value;
}

export function requireHash(value: unknown, what: string): string {
  if (typeof value === 'string' && hashPattern.test(value)) return value;
  throw new NodeLie(`${what} is no hash`);
}

export function requireInteger(value: unknown, what: string): number {
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
