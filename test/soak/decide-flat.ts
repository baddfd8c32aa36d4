// Whether what a process holds grows: its samples over time, and what they say. Pure.
//
// The slope is the median of the slopes between all pairs of samples (Theil and Sen), so that a few high
// ones, of a moment before a collection or after it was frozen, say nothing. Before it the lowest of each
// twentieth is taken: a heap rises until it is collected, and what is left then is what counts. Memory has
// grown when the highest of each twentieth has too: a runtime that is idle gives memory back and takes as
// much again, and a leak raises both.

export type Sample = {
  readonly atSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly descriptors: number | undefined;
};

export type Growth = {
  readonly startBytes: number;
  readonly endBytes: number;
  /** What the slope makes of the whole time that was measured. */
  readonly grownBytes: number;
  readonly allowedBytes: number;
};

export type Verdict = {
  readonly measuredSeconds: number;
  readonly resident: Growth;
  readonly heap: Growth;
  readonly descriptors: { readonly start: number; readonly end: number } | undefined;
  /** A sentence for each thing that grows. */
  readonly faults: readonly string[];
};

const MEGABYTE = 1_048_576;
/** The first part says nothing: code is compiled, caches fill. */
const WARM_UP_SHARE = 0.25;
const WINDOWS = 20;
/** A tenth of what it holds, and so much more: less than that is no slope. */
const ALLOWED_SHARE = 0.1;
const ALLOWED_BYTES = 16 * MEGABYTE;
/** In minutes a heap still finds its size. */
const SHORT_SECONDS = 600;
const ALLOWED_SHORT_BYTES = 64 * MEGABYTE;
/** Pools open connections as they need them: less than so many more are no leak. */
export const ALLOWED_DESCRIPTORS = 24;

/**
 * `atRest`: descriptors when nobody asked anything any more. A slow machine has more customers
 * waiting at the end than at the beginning, and each of them is a connection: what they hold while
 * they wait says nothing. Undefined: it could not be counted.
 */
export function decideFlat(
  name: string,
  samples: readonly Sample[],
  atRest: number | undefined,
): Verdict | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const from = first.atSeconds + (last.atSeconds - first.atSeconds) * WARM_UP_SHARE;
  const measured = samples.filter(({ atSeconds }) => atSeconds >= from);
  const lowest = ofEach(measured, from, last.atSeconds, (values) => Math.min(...values));
  const highest = ofEach(measured, from, last.atSeconds, (values) => Math.max(...values));
  const measuredSeconds = last.atSeconds - from;
  const resident = lesser(
    growthOf(lowest, measuredSeconds, residentOf),
    growthOf(highest, measuredSeconds, residentOf),
  );
  const heap = growthOf(lowest, measuredSeconds, (one) => one.heapBytes);
  const descriptors = descriptorsOf(measured, atRest);
  const faults = [...faultsOf(`memory of ${name}`, resident), ...faultsOf(`heap of ${name}`, heap)];
  if (descriptors !== undefined && descriptors.end - descriptors.start > ALLOWED_DESCRIPTORS) {
    faults.push(`${name} had ${descriptors.start} descriptors and has ${descriptors.end}`);
  }
  return { measuredSeconds, resident, heap, descriptors, faults };
}

type Window = Pick<Sample, 'atSeconds' | 'residentBytes' | 'heapBytes'>;

const residentOf = ({ residentBytes }: Window): number => residentBytes;

/** Of the lowest and the highest that it held. */
function lesser(lowest: Growth, highest: Growth): Growth {
  return highest.grownBytes <= highest.allowedBytes
    ? { ...lowest, grownBytes: Math.min(lowest.grownBytes, highest.grownBytes) }
    : lowest;
}

function ofEach(
  samples: readonly Sample[],
  from: number,
  to: number,
  pick: (values: readonly number[]) => number,
): readonly Window[] {
  const length = (to - from) / WINDOWS;
  const windows: Window[] = [];
  for (let index = 0; index < WINDOWS; index += 1) {
    const start = from + index * length;
    const inside = samples.filter(
      ({ atSeconds }) => atSeconds >= start && atSeconds <= start + length,
    );
    if (inside.length === 0) continue;
    windows.push({
      atSeconds: start + length / 2,
      residentBytes: pick(inside.map((one) => one.residentBytes)),
      heapBytes: pick(inside.map((one) => one.heapBytes)),
    });
  }
  return windows;
}

function growthOf(
  windows: readonly Window[],
  seconds: number,
  read: (one: Window) => number,
): Growth {
  const slopes: number[] = [];
  windows.forEach((one, index) => {
    for (const other of windows.slice(index + 1)) {
      slopes.push((read(other) - read(one)) / (other.atSeconds - one.atSeconds));
    }
  });
  const most = seconds >= SHORT_SECONDS ? ALLOWED_BYTES : ALLOWED_SHORT_BYTES;
  const third = Math.ceil(windows.length / 3);
  return {
    startBytes: median(windows.slice(0, third).map(read)),
    endBytes: median(windows.slice(-third).map(read)),
    grownBytes: median(slopes) * seconds,
    allowedBytes: median(windows.map(read)) * ALLOWED_SHARE + most,
  };
}

function faultsOf(what: string, { grownBytes, allowedBytes }: Growth): string[] {
  if (grownBytes <= allowedBytes) return [];
  return [`${what} grew by ${megabytes(grownBytes)} MB, allowed are ${megabytes(allowedBytes)}`];
}

function descriptorsOf(
  samples: readonly Sample[],
  atRest: number | undefined,
): Verdict['descriptors'] {
  const start = descriptorsAtFirst(samples);
  return start === undefined || atRest === undefined ? undefined : { start, end: atRest };
}

/** In the first third of what was measured, under load. */
export function descriptorsAtFirst(samples: readonly Sample[]): number | undefined {
  const counts = samples.flatMap(({ descriptors }) => descriptors ?? []);
  if (counts.length === 0) return undefined;
  return median(counts.slice(0, Math.ceil(counts.length / 3)));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
