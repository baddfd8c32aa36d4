// Sums by a name and an asset, and how two of them differ.
import assert from 'node:assert/strict';
import { getAsset } from '#catalog/asset.ts';

export type Sums = Map<string, bigint>;

export function add(sums: Sums, name: string, assetId: string, units: bigint): void {
  const key = `${name} ${assetId}`;
  sums.set(key, (sums.get(key) ?? 0n) + units);
}

/** Of an amount in whole coins. */
export function unitsOf(text: string | null | undefined, assetId: string): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text ?? '0') ?? [];
  const { decimals } = getAsset(assetId);
  assert.ok(part.length <= decimals, `${text} of ${assetId}`);
  return BigInt(sign + whole + part.padEnd(decimals, '0'));
}

/** A sentence for each sum that is another one than it should be. */
export function differences(what: string, expected: Sums, found: Sums): string[] {
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((key) => {
    const [due, said] = [expected.get(key) ?? 0n, found.get(key) ?? 0n];
    return due === said ? [] : [`${what}: ${key} is ${said}, not ${due}`];
  });
}

export function less(sums: Sums, other: Sums): Sums {
  const keys = new Set([...sums.keys(), ...other.keys()]);
  return new Map([...keys].map((key) => [key, (sums.get(key) ?? 0n) - (other.get(key) ?? 0n)]));
}
