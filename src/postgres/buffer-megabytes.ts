// How much of the tables the embedded PostgreSQL keeps in memory of its own (shared_buffers). A
// shop with a million checkouts has half a gigabyte of indexes that its lists go through; what
// PostgreSQL finds there costs a tenth of what it asks the system for.
import { totalmem } from 'node:os';
import process from 'node:process';

/** Of the memory: the service and the cache of the system need the rest. */
const SHARE = 8;
const LEAST = 128;
const MOST = 2_048;

export function bufferMegabytes(memory: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.floor(memory / SHARE / 2 ** 20)));
}

/** Of the machine, or of the container where that has less. */
export function memoryBytes(): number {
  // Zero, or more than there is, where nothing is limited.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
