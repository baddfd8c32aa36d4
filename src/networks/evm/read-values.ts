// The values of an Ethereum JSON-RPC answer (execution-apis, base types): quantities and data are
// text that begins with 0x. Anything else is a lie of the node, never a guess of ours.

import { NodeLie } from '#networks/answer-fields.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

/** In lower case, which is how addresses are compared and stored. */
export function requireAddress(value: unknown, what: string): string {
  if (typeof value === 'string' && ADDRESS.test(value)) return value.toLowerCase();
  throw new NodeLie(`${what} is no address`);
}

/** The same where not every node tells it, or not of everything. */
export function findQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : undefined;
}

/** At most 256 bits. */
export function requireQuantity(value: unknown, what: string): bigint {
  if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value);
  throw new NodeLie(`${what} is no number`);
}

export function quantityText(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** A number as the ABI of contracts has it: 32 bytes. It must be below 2^256. */
export function wordOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
