// The table at the end.

import { cpus } from 'node:os';
import { type Figure, isMet, shown } from './measure.ts';

const COLUMNS = ['figure', 'ours', 'against', 'reference', 'ratio', 'aim', ''] as const;

export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const met = isMet(figure);
    return [
      figure.name,
      shown(figure.ours) + figure.unit,
      figure.against,
      shown(figure.reference) + figure.unit,
      figure.ratio.toFixed(2),
      aimText(figure),
      met === undefined ? '' : met ? 'met' : 'MISSED',
    ];
  });
  const all = [[...COLUMNS], ...rows];
  const widths = COLUMNS.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

export function jsonOf(figures: readonly Figure[]): string {
  return JSON.stringify({
    processors: cpus().length,
    figures: figures.map((figure) => ({
      name: figure.name,
      unit: figure.unit,
      ours: Number(figure.ours.toPrecision(4)),
      against: figure.against,
      reference: Number(figure.reference.toPrecision(4)),
      ratio: Number(figure.ratio.toFixed(3)),
      aim: figure.aim ?? null,
      met: isMet(figure) ?? null,
    })),
  });
}

function aimText({ aim }: Figure): string {
  if (aim === undefined) return '';
  return 'atLeast' in aim ? `>= ${aim.atLeast}` : `<= ${aim.atMost}`;
}
