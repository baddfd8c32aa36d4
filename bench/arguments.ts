// What a person may say to the bench.

import { parseArgs } from 'node:util';

export const FIGURES = [
  'create',
  'pace',
  'commit',
  'credit',
  'decide',
  'coins',
  'match',
  'position',
  'verify',
  'reports',
  'lists',
  'read',
  'evm',
  'utxo',
  'stellar',
  'xrpl',
  'lightning',
  'bank',
  'live',
  'papers',
  'notify',
  'deliver',
] as const;
export type FigureName = (typeof FIGURES)[number];

export type BenchArguments = {
  readonly isHelp: boolean;
  readonly isJson: boolean;
  readonly figures: readonly FigureName[];
  /** Length of one run; a figure takes five of ours and five of what it is compared with. */
  readonly seconds: number;
  /** By which each write of the database to its disk takes longer. */
  readonly diskMs: number;
};

export const HELP = `npm run bench: throughput as ratios to pgbench on the same server in the same run.

  --only NAME      only this figure: ${FIGURES.join(', ')} (repeat it, or a list with commas)
  --seconds N      length of one run, 1 to 30 (2); credit and commit take as many checkouts as fit
  --disk-ms N      each write of the database to its disk takes so many milliseconds longer, 0 to
                   100 (0); needs a C compiler
  --json           one JSON object on the last line
  --help           this text

docs/operate/bench.md says what each figure means.`;

const secondsInitial = '2';
const secondsMax = 30;
const diskMsMax = 100;

/** Throws an Error with one line when it makes no sense. */
export function readArguments(given: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...given],
    options: {
      help: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: secondsInitial },
      'disk-ms': { type: 'string', default: '0' },
    },
  });
  const seconds = /^\d{1,2}$/.test(values.seconds) ? Number(values.seconds) : 0;
  if (seconds < 1 || seconds > secondsMax) {
    throw new Error(`--seconds: a whole number from 1 to ${secondsMax}, not "${values.seconds}"`);
  }
  const disk = values['disk-ms'];
  const diskMs = /^\d{1,3}$/.test(disk) ? Number(disk) : -1;
  if (diskMs < 0 || diskMs > diskMsMax) {
    throw new Error(`--disk-ms: a whole number from 0 to ${diskMsMax}, not "${disk}"`);
  }
  const figures = chosen(values.only);
  return { isHelp: values.help, isJson: values.json, figures, seconds, diskMs };
}

function chosen(only: readonly string[]): readonly FigureName[] {
  const names = only.flatMap((list) => list.split(','));
  const unknown = names.filter((name) => !FIGURES.some((known) => known === name));
  if (unknown.length > 0) {
    throw new Error(`--only: unknown ${unknown.join(', ')}; known are ${FIGURES.join(', ')}`);
  }
  return names.length === 0 ? FIGURES : FIGURES.filter((name) => names.includes(name));
}
