// Reads what Prometheus scrapes, by the text of its format (exposition format 0.0.4) and nothing of
// ours: it throws at what a scraper would refuse, and at what `promtool check metrics` complains of.

export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type MetricFamily = {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
};

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

export function readExposition(text: string): ReadonlyMap<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP') {
      if (families.has(name)) throw new Error(`${name} is told of twice`);
      if (rest === '') throw new Error(`${name} says nothing of itself`);
      families.set(name, { type: '', help: rest, samples: [] });
      current = name;
      continue;
    }
    const family = families.get(current);
    if (family === undefined) throw new Error(`a line before any metric: ${line}`);
    if (word === 'TYPE') {
      if (name !== current || family.type !== '')
        throw new Error(`a type out of its place: ${line}`);
      family.type = rest;
      continue;
    }
    const sample = readSample(line);
    const names = (SUFFIXES[family.type] ?? ['']).map((suffix) => `${current}${suffix}`);
    if (!names.includes(sample.name)) throw new Error(`${sample.name} stands under ${current}`);
    const id = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).toSorted())}`;
    if (seen.has(id)) throw new Error(`twice: ${id}`);
    seen.add(id);
    family.samples.push(sample);
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function readSample(line: string): Sample {
  const [, name, inside = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = inside; rest !== ''; ) {
    const [whole, label = '', text = ''] = LABEL.exec(rest) ?? [];
    if (whole === undefined || label in labels) throw new Error(`labels: ${line}`);
    labels[label] = text.replaceAll(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: readNumber(value, line) };
}

function readNumber(text: string, line: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  if (text === 'NaN') return Number.NaN;
  if (!/^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) throw new Error(`no number: ${line}`);
  return Number(text);
}

/** https://prometheus.io/docs/practices/naming/ as promtool looks at it. */
function checkFamily(name: string, { type, samples }: MetricFamily): void {
  if (!/^(?:counter|gauge|histogram)$/.test(type)) throw new Error(`${name} is of no type`);
  if (!/^[a-z_:][a-z0-9_:]*$/.test(name)) throw new Error(`${name} is not in small letters`);
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is a ${type}`);
  if (/_(?:milliseconds|minutes|hours|days|kilobytes|megabytes|percent)(?:_|$)/.test(name)) {
    throw new Error(`${name} is not in a base unit`);
  }
  if (/(?:_count|_sum|_bucket|_info_total)$/.test(name)) throw new Error(`${name} ends wrongly`);
  if (samples.some(({ labels }) => 'quantile' in labels)) throw new Error(`${name} is no summary`);
  if (type === 'histogram') checkHistogram(name, samples);
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const rows = Map.groupBy(samples, ({ labels: { le, ...rest } }) => JSON.stringify(rest));
  for (const [labels, row] of rows) {
    const buckets = row.filter((one) => one.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels: { le = '' } }) => readNumber(le, le));
    const counts = buckets.map(({ value }) => value);
    const isRising = (list: readonly number[]) =>
      list.every((value, index) => index === 0 || value >= (list[index - 1] ?? 0));
    const all = row.find((one) => one.name === `${name}_count`)?.value;
    const hasSum = row.some((one) => one.name === `${name}_sum`);
    const isWhole = bounds.at(-1) === Number.POSITIVE_INFINITY && counts.at(-1) === all && hasSum;
    if (!isWhole || !isRising(bounds) || !isRising(counts)) throw new Error(`${name} of ${labels}`);
  }
}
