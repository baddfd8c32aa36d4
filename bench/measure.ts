// Runs alternate, so that whatever else the machine does meets both sides; the median is what is
// shown. Runs before the first are thrown away: compilers and caches warm up in them.

const RUNS = 5;
/** Until compilers have seen enough of ours takes longer than one short run. */
const WARM_UPS = 4;

export type Figure = {
  readonly name: string;
  /** Acts per second, or milliseconds an act. */
  readonly unit: '/s' | 'ms' | 'MB';
  readonly ours: number;
  /** Of what is measured against. */
  readonly reference: number;
  readonly against: string;
  readonly ratio: number;
  readonly aim: Aim | undefined;
};

export type Aim = { readonly atLeast: number } | { readonly atMost: number };

/** One run, numbered from 1; those below are the warm-up. Resolves with acts per second. */
export type Run = (number: number) => Promise<number>;

export async function compare(
  { name, against, aim }: Pick<Figure, 'name' | 'against'> & { readonly aim?: Aim | undefined },
  ours: Run,
  reference: Run,
  say: (line: string) => void,
): Promise<Figure> {
  for (let number = 1 - WARM_UPS; number < 1; number += 1) await ours(number);
  await reference(0);
  const mine: number[] = [];
  const theirs: number[] = [];
  for (let number = 1; number <= RUNS; number += 1) {
    mine.push(await ours(number));
    theirs.push(await reference(number));
    say(`${name}, run ${number}: ${shown(mine.at(-1))}/s, ${against} ${shown(theirs.at(-1))}/s`);
  }
  return figureOf({ name, against, aim, unit: '/s' }, median(mine), median(theirs));
}

/** Milliseconds by `clock` of two acts that take turns, each the median of its runs. */
export async function timeInTurns(
  {
    runs,
    warmUps,
    clock = () => performance.now(),
  }: { readonly runs: number; readonly warmUps: number; readonly clock?: () => number },
  ours: () => Promise<void>,
  reference: () => Promise<void>,
): Promise<[ours: number, reference: number]> {
  const mine: number[] = [];
  const theirs: number[] = [];
  for (let run = 1 - warmUps; run <= runs; run += 1) {
    const oursMs = await timed(ours, clock);
    const referenceMs = await timed(reference, clock);
    if (run < 1) continue;
    mine.push(oursMs);
    theirs.push(referenceMs);
  }
  return [median(mine), median(theirs)];
}

export async function timed(
  act: () => Promise<void>,
  clock = () => performance.now(),
): Promise<number> {
  const startMs = clock();
  await act();
  return clock() - startMs;
}

/** What this thread took of its processor, the collector in it included, whatever else runs. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function figureOf(
  named: Pick<Figure, 'name' | 'against' | 'unit'> & { readonly aim?: Aim | undefined },
  ours: number,
  reference: number,
): Figure {
  return { ...named, aim: named.aim, ours, reference, ratio: ours / reference };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function isMet({ ratio, aim }: Pick<Figure, 'ratio' | 'aim'>): boolean | undefined {
  if (aim === undefined) return undefined;
  return 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost;
}

/** Runs `count` workers over one queue until it is empty. */
export async function inParallel(
  count: number,
  act: (take: number) => Promise<boolean>,
): Promise<void> {
  let next = 0;
  let isOver = false;
  const work = async () => {
    while (!isOver) if (!(await act(next++))) isOver = true;
  };
  await Promise.all(Array.from({ length: count }, work));
}

/** Three digits are all that means anything. */
export function shown(value = 0): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}
