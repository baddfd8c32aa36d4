// Prometheus as `compose.yaml` starts it, with what is mounted there, over a service of the test: the
// configuration and the rules are accepted, each alert fires when it should and not before, each question
// of the charts is answered, and a service that is gone is noticed.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '#test/support/free-port.ts';
import { ROOT } from '#test/support/read-source.ts';
import { waitUntil } from '#test/support/shop.ts';

export type Programs = { readonly promtool: string; readonly prometheus: string };

type Watched = {
  readonly programs: Programs;
  readonly directory: string;
  readonly metricsPort: number;
  stopService(): Promise<void>;
  readonly say: (line: string) => void;
};

const MOUNTED = join(ROOT, 'packaging', 'compose');
/** What a shop without real money has nothing to say of. */
const OF_REAL_MONEY = /quittance_(?:rate_age_seconds|treasury_\w+|signer_up)/;
/** What is told only when there is something to tell. */
const MAY_BE_EMPTY = /> 0$/;

export async function watchByPrometheus(watched: Watched): Promise<void> {
  const { programs, directory, say } = watched;
  const check = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(programs.promtool, words, { encoding: 'utf8' });
    assert.equal(status, 0, `promtool ${words.join(' ')}: ${stdout}${stderr}`);
    say(stdout.trim().split('\n').at(-1) ?? '');
  };
  check('check', 'rules', join(MOUNTED, 'alerts.yml'));
  check('test', 'rules', join(import.meta.dirname, 'alerts.test.yml'));
  const settings = writeSettings(watched);
  check('check', 'config', settings);
  const port = await findFreePort();
  const prometheus = spawn(
    programs.prometheus,
    [
      `--config.file=${settings}`,
      `--storage.tsdb.path=${join(directory, 'series')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = once(prometheus, 'exit');
  try {
    await ask(watched, prometheus, `http://127.0.0.1:${port}/api/v1`);
  } finally {
    prometheus.kill('SIGKILL');
    await ended;
  }
}

/** Those that are mounted, with the service of the test and seconds in the place of minutes. */
function writeSettings({ directory, metricsPort }: Watched): string {
  const replaced = [
    ['/etc/prometheus/alerts.yml', join(MOUNTED, 'alerts.yml')],
    ['quittance:9464', `127.0.0.1:${metricsPort}`],
    ['scrape_interval: 15s', 'scrape_interval: 1s'],
    ['evaluation_interval: 15s', 'evaluation_interval: 1s'],
  ] as const;
  let text = readFileSync(join(MOUNTED, 'prometheus.yml'), 'utf8');
  for (const [from, to] of replaced) {
    assert.ok(text.includes(from), `prometheus.yml has no ${from}`);
    text = text.replace(from, to);
  }
  const file = join(directory, 'prometheus.yml');
  writeFileSync(file, text);
  return file;
}

type Answer<Data> = { readonly status: string; readonly error?: string; readonly data: Data };

async function ask(
  { stopService, say }: Watched,
  prometheus: ChildProcess,
  api: string,
): Promise<void> {
  async function get<Data>(path: string): Promise<Data> {
    const answer = (await (await fetch(`${api}${path}`)).json()) as Answer<Data>;
    assert.equal(answer.status, 'success', `${path}: ${answer.error}`);
    return answer.data;
  }
  const count = async (expression: string) => {
    const { result } = await get<{ readonly result: readonly unknown[] }>(
      `/query?query=${encodeURIComponent(expression)}`,
    );
    return result.length;
  };
  await waitUntil('two scrapes', async () => {
    assert.equal(prometheus.exitCode, null, 'Prometheus does not run');
    const scraped = await count('count_over_time(up{job="quittance"}[1m]) > 2').catch(() => 0);
    return scraped > 0;
  });
  const expressions = listExpressions();
  for (const { title, expression } of expressions) {
    const found = await count(expression);
    if (OF_REAL_MONEY.test(expression) || MAY_BE_EMPTY.test(expression)) continue;
    assert.ok(found > 0, `the chart ${title} shows nothing: ${expression}`);
  }
  say(`${expressions.length} questions of the charts are answered`);
  type Rule = { readonly name: string; readonly health: string; readonly state: string };
  const rules = async () => {
    const { groups } = await get<{ readonly groups: readonly { readonly rules: Rule[] }[] }>(
      '/rules',
    );
    return groups.flatMap((group) => group.rules);
  };
  await waitUntil('the rules', async () => {
    const found = await rules();
    return found.length > 0 && found.every(({ health }) => health === 'ok');
  });
  const stateOf = async (name: string) => (await rules()).find((rule) => rule.name === name)?.state;
  assert.equal(await stateOf('QuittanceGone'), 'inactive');
  await stopService();
  await waitUntil('the alert', async () => (await stateOf('QuittanceGone')) === 'pending');
  say(`${(await rules()).length} alerts are evaluated, and a service that is gone is noticed`);
}

type Target = { readonly expr: string };
type Panel = { readonly title: string; readonly targets?: readonly Target[] };

function listExpressions(): readonly { readonly title: string; readonly expression: string }[] {
  const folder = join(MOUNTED, 'grafana', 'dashboards');
  return readdirSync(folder).flatMap((name) => {
    const { panels } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly panels: readonly Panel[];
    };
    return panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expression: expr })),
    );
  });
}
