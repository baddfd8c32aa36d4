// Counters, gauges and histograms, and the text in which Prometheus reads them (exposition format
// 0.0.4). Guarantees: what is counted costs a look into a map; a metric has no more than so many
// rows, whatever its labels are given, and what would be one more is counted under `other`; a text
// cannot break out of its label.

import { assert } from '#base/assert.ts';

type Labels = Readonly<Record<string, string>>;

type Kind = 'counter' | 'gauge' | 'histogram';

type Description = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
};

export type Counter = {
  add(labels?: Labels, by?: number): void;
  /** The same, for who counts under these labels again and again. */
  under(labels: Labels): () => void;
  /** In the place of what was counted: where somebody else counts. */
  set(value: number, labels?: Labels): void;
};
export type Gauge = {
  /** A text is written as it stands: amounts are exact. */
  set(value: number | bigint | string, labels?: Labels): void;
  /** Of what is not there any more nothing is told. */
  clear(): void;
};
type Histogram = {
  observe(value: number, labels?: Labels): void;
  /** The same, for who observes under these labels again and again. */
  under(labels: Labels): (value: number) => void;
};

export type Registry = {
  counter(description: Description): Counter;
  gauge(description: Description): Gauge;
  /** `buckets`: upper bounds, rising; what is above all of them is counted too. */
  histogram(description: Description & { readonly buckets: readonly number[] }): Histogram;
  /** All of it, each metric under its name. */
  write(): string;
};

/** Of one metric: an operator pays for each for years. */
const ROWS_MOST = 2_000;
const OTHER = 'other';
const BETWEEN = '\0';
const METRIC_NAME = /^[a-z][a-z0-9_]*$/;
const LABEL_NAME = /^[a-z][a-z0-9_]*$/;

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Family = { readonly name: string; lines(): string[] };

export function createRegistry(): Registry {
  const families = new Map<string, Family>();
  const add = (kind: Kind, { name, help }: Description, lines: () => string[]) => {
    assert(METRIC_NAME.test(name) && !families.has(name), `${name} is no name of a metric`);
    assert((kind === 'counter') === name.endsWith('_total'), `${name} is no name of a ${kind}`);
    const head = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${kind}`];
    families.set(name, { name, lines: () => [...head, ...lines()] });
  };
  return {
    counter(description) {
      const rows = createRows(description, () => ({ value: 0 }));
      add('counter', description, () => rows.list(({ value }) => numberText(value)));
      return {
        add(labels, by = 1) {
          rows.of(labels).value += by;
        },
        under(labels) {
          const row = rows.of(labels);
          return () => {
            row.value += 1;
          };
        },
        set(value, labels) {
          rows.of(labels).value = value;
        },
      };
    },
    gauge(description) {
      const rows = createRows(description, () => ({ text: '0' }));
      add('gauge', description, () => rows.list(({ text }) => text));
      return {
        set(value, labels) {
          rows.of(labels).text = typeof value === 'number' ? numberText(value) : String(value);
        },
        clear: () => rows.clear(),
      };
    },
    histogram({ buckets, ...description }) {
      const rows = createRows(description, () => createMeasured(buckets.length));
      add('histogram', description, () =>
        rows.flatMap((row, label) => histogramLines(description.name, buckets, row, label)),
      );
      const note = (row: Measured, value: number) => {
        const index = buckets.findIndex((bound) => value <= bound);
        if (index !== -1) row.counts[index] = (row.counts[index] ?? 0) + 1;
        row.sum += value;
        row.all += 1;
      };
      return {
        observe: (value, labels) => note(rows.of(labels), value),
        under(labels) {
          const row = rows.of(labels);
          return (value) => note(row, value);
        },
      };
    },
    write: () => `${[...families.values()].flatMap(({ lines }) => lines()).join('\n')}\n`,
  };
}

/** `counts` has what fell into each bucket alone. */
type Measured = { readonly counts: number[]; sum: number; all: number };

function createMeasured(buckets: number): Measured {
  return { counts: new Array<number>(buckets).fill(0), sum: 0, all: 0 };
}

type LabelText = (more?: string) => string;

function histogramLines(
  name: string,
  buckets: readonly number[],
  { counts, sum, all }: Measured,
  label: LabelText,
): string[] {
  let below = 0;
  const lines = buckets.map((bound, index) => {
    below += counts[index] ?? 0;
    return `${name}_bucket${label(`le="${numberText(bound)}"`)} ${below}`;
  });
  return [
    ...lines,
    `${name}_bucket${label('le="+Inf"')} ${all}`,
    `${name}_sum${label()} ${numberText(sum)}`,
    `${name}_count${label()} ${all}`,
  ];
}

/** Rows of one metric by their labels. */
function createRows<Row>({ name, labels: names = [] }: Description, create: () => Row) {
  assert(
    names.every((one) => LABEL_NAME.test(one) && one !== 'le'),
    `labels of ${name}`,
  );
  const rows = new Map<string, Row>();
  /** Labels have no such character: what is counted at each request is joined, not escaped. */
  const joined = (labels: Labels): string => {
    let key = '';
    for (const one of names) key += `${labels[one] ?? ''}${BETWEEN}`;
    return key;
  };
  const write = (key: string) => {
    const values = key.split(BETWEEN);
    return names.map((one, index) => `${one}="${escapeLabel(values[index] ?? '')}"`).join(',');
  };
  // What has no labels is there from the beginning: a rate needs its zero.
  if (names.length === 0) rows.set('', create());
  return {
    of(labels: Labels = {}): Row {
      const key = joined(labels);
      const known = rows.get(key);
      if (known !== undefined) return known;
      const place =
        rows.size >= ROWS_MOST ? joined(Object.fromEntries(names.map((one) => [one, OTHER]))) : key;
      const row = rows.get(place) ?? create();
      rows.set(place, row);
      return row;
    },
    clear: () => rows.clear(),
    list: (text: (row: Row) => string) =>
      Array.from(rows, ([key, row]) => {
        const labels = write(key);
        return `${name}${labels === '' ? '' : `{${labels}}`} ${text(row)}`;
      }),
    flatMap: (lines: (row: Row, label: LabelText) => string[]) =>
      Array.from(rows).flatMap(([key, row]) => {
        const labels = write(key);
        return lines(row, (more = '') => {
          const inside = [labels, more].filter((part) => part !== '').join(',');
          return inside === '' ? '' : `{${inside}}`;
        });
      }),
  };
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
