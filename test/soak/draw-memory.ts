// Memory of each process over the time of a soak, as a line of blocks, with what was made of it.
import { megabytes, type Sample } from './decide-flat.ts';
import type { SoakReport } from './run-soak.ts';

const BLOCKS = '▁▂▃▄▅▆▇█';
const COLUMNS = 60;

export function drawMemory({ samples, processes }: SoakReport): string {
  return Object.entries(processes)
    .flatMap(([name, { resident, heap, descriptors, measuredSeconds }]) => {
      const line = drawLine(samples[name] ?? []);
      const minutes = (measuredSeconds / 60).toFixed(1);
      const grown = ({ startBytes, endBytes, grownBytes, allowedBytes }: typeof heap) =>
        `${megabytes(startBytes)} to ${megabytes(endBytes)} MB ` +
        `(slope ${megabytes(grownBytes)} of ${megabytes(allowedBytes)} allowed)`;
      const open =
        descriptors === undefined ? '' : `; ${descriptors.start} to ${descriptors.end} descriptors`;
      return [
        `${name.padEnd(10)} ${line}`,
        `  in ${minutes} min: memory ${grown(resident)}; heap ${grown(heap)}${open}`,
      ];
    })
    .join('\n');
}

/** From nothing to the most, each column the mean of its part of the time. */
function drawLine(samples: readonly Sample[]): string {
  const most = Math.max(...samples.map(({ residentBytes }) => residentBytes), 1);
  const last = samples.at(-1)?.atSeconds ?? 0;
  const columns = Array.from({ length: COLUMNS }, (_, column) => {
    const inside = samples.filter(
      ({ atSeconds }) => Math.min(COLUMNS - 1, Math.floor((atSeconds / last) * COLUMNS)) === column,
    );
    if (inside.length === 0) return ' ';
    const mean = inside.reduce((sum, one) => sum + one.residentBytes, 0) / inside.length;
    return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor((mean / most) * BLOCKS.length))];
  });
  return `${columns.join('')} up to ${megabytes(most)} MB`;
}
