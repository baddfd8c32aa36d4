// The chart, judged by Helm itself, by the schemas of two versions of Kubernetes, by the Prometheus
// operator's own types, and by the service whose settings it gives. No cluster is made: that pods are
// scheduled and disks bound is Kubernetes' word.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { env, execPath } from 'node:process';
import { after, before, describe, test } from 'node:test';
import { systemRandom } from '#base/random.ts';
import { openKeyring } from '#installation/keyring.ts';
import { readConfig } from '#server/config.ts';
import { SETTINGS } from '#server/settings.ts';

const { QUITTANCE_TEST_HELM: HELM = '', QUITTANCE_TEST_KUBECONFORM: KUBECONFORM = '' } = env;
const { QUITTANCE_TEST_JUDGE: JUDGE = '', QUITTANCE_TEST_KUBERNETES_SCHEMAS: SCHEMAS = '' } = env;
const ROOT = join(import.meta.dirname, '..', '..');
const CHART = join(ROOT, 'packaging', 'helm', 'quittance');
const VALUES = join(import.meta.dirname, 'values');
const KEPT = join(import.meta.dirname, 'kept');
const NAMES = readdirSync(VALUES).map((file) => basename(file, '.yaml'));
/** The oldest that the chart takes, and the newest that there are schemas of. */
const VERSIONS = ['1.25.0', '1.37.0'];
const ROLES = ['serve', 'watch', 'settle', 'deliver'];
const MANAGED = ['ROLES', 'PUBLIC_URL', 'DATABASE_URL', 'METRICS_PORT', 'METRICS_HOST'];

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'quittance-helm-'));
});
after(() => rmSync(directory, { recursive: true, force: true }));

function run(program: string, words: readonly string[], input = '') {
  const ended = spawnSync(program, words, { encoding: 'utf8', input, maxBuffer: 1 << 26 });
  assert.equal(ended.error, undefined);
  return ended;
}

function well(program: string, words: readonly string[], input = ''): string {
  const { status, stdout, stderr } = run(program, words, input);
  assert.equal(status, 0, `${stdout}${stderr}`);
  return stdout;
}

const valuesOf = (name: string) => ['--values', join(VALUES, `${name}.yaml`)];
/** Helm asks no cluster how old it is; one that was built by hand takes it for a very old one. */
const template = (...words: string[]) =>
  run(HELM, [
    ...['template', 'shop', CHART, '--namespace', 'shop', '--kube-version', '1.25.0'],
    ...words,
  ]);

function render(name: string): string {
  const { status, stdout, stderr } = template(...valuesOf(name));
  assert.equal(status, 0, stderr);
  return stdout;
}

type Entry = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string } } };
type Container = {
  name: string;
  command?: string[];
  args?: string[];
  env?: Entry[];
  securityContext: Record<string, unknown>;
  readinessProbe?: { httpGet: { path: string; port: string } };
  livenessProbe?: { httpGet: { path: string; port: string } };
};
type PodSpec = {
  initContainers?: Container[];
  containers: Container[];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
};
type Labels = Record<string, string>;
type Document = {
  kind: string;
  metadata: { name: string; labels: Labels };
  data?: Record<string, string>;
  spec: PodSpec & {
    template?: { metadata: { labels: Labels }; spec: PodSpec };
    selector?: { matchLabels?: Labels };
    podSelector?: { matchLabels: Labels };
  };
};

const documentsOf = (text: string) =>
  JSON.parse(well(JUDGE, ['documents'], text)) as readonly Document[];
const podOf = ({ spec }: Document) => spec.template?.spec ?? spec;
const podsOf = (documents: readonly Document[]) =>
  documents.filter(({ spec }) => spec?.template !== undefined || spec?.containers !== undefined);

for (const name of NAMES) {
  describe(`with the values of ${name}.yaml`, () => {
    test('helm has nothing to say of the chart', () => {
      well(HELM, ['lint', '--strict', CHART, ...valuesOf(name)]);
    });

    test('it renders what is kept', () => {
      const kept = join(KEPT, `${name}.yaml`);
      const rendered = render(name);
      if (env.UPDATE_GOLDEN === '1') writeFileSync(kept, rendered);
      assert.equal(rendered, readFileSync(kept, 'utf8'), 'UPDATE_GOLDEN=1 keeps the new one');
    });

    test('every version of Kubernetes knows each field of it, and the operator of Prometheus', () => {
      const rendered = render(name);
      for (const version of VERSIONS) conform(rendered, version);
      const monitors = well(JUDGE, ['monitors'], rendered);
      assert.equal(monitors.trim(), name === 'whole' ? '1' : '0');
    });

    test('every container may nothing, and runs as a user on a root that is not written to', () => {
      const pods = podsOf(documentsOf(render(name)));
      assert.ok(pods.length >= ROLES.length);
      for (const document of pods) {
        const pod = podOf(document);
        assert.equal(pod.automountServiceAccountToken, false, document.metadata.name);
        assert.equal(pod.enableServiceLinks, false, document.metadata.name);
        assert.equal(pod.securityContext.runAsUser, 65_532);
        assert.equal(pod.securityContext.runAsNonRoot, true);
        assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' });
        for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
          assert.deepEqual(container.securityContext, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            runAsNonRoot: true,
            capabilities: { drop: ['ALL'] },
          });
        }
      }
    });

    test('each role runs by itself, is asked for its life and readiness, and takes its settings', () => {
      const documents = documentsOf(render(name));
      for (const role of ROLES) {
        const found = documents.find(
          ({ metadata, spec }) => metadata.name.endsWith(`-${role}`) && spec?.template,
        );
        assert.ok(found, role);
        const [container] = podOf(found).containers;
        assert.ok(container);
        assert.deepEqual(container.livenessProbe?.httpGet, { path: '/live', port: 'metrics' });
        assert.equal(container.readinessProbe?.httpGet.path, '/ready');
        const config = readConfig({
          environment: environmentOf(documents, container.env ?? []),
          file: undefined,
          directory,
        });
        assert.deepEqual(config.roles, [role]);
        assert.equal(config.metrics?.port, 9464);
      }
    });

    test('what selects pods finds those of the service, and no job', () => {
      const documents = documentsOf(render(name));
      const pods = documents.flatMap(({ spec }) =>
        spec?.template === undefined ? [] : [spec.template.metadata.labels],
      );
      const selectors = documents.flatMap(({ kind, spec }) => {
        if (kind === 'Service') return [spec.selector as unknown as Labels];
        if (kind === 'NetworkPolicy') return [spec.podSelector?.matchLabels ?? {}];
        return kind === 'PodDisruptionBudget' ? [spec.selector?.matchLabels ?? {}] : [];
      });
      assert.ok(selectors.length >= 2);
      for (const selector of selectors) {
        const chosen = pods.filter((labels) =>
          Object.entries(selector).every(([label, value]) => labels[label] === value),
        );
        const roles = chosen.map((labels) => labels['app.kubernetes.io/component'] ?? '');
        assert.ok(roles.length === 1 || roles.length === ROLES.length, JSON.stringify(selector));
        for (const role of roles) assert.ok(ROLES.includes(role), role);
      }
    });
  });
}

function conform(text: string, version: string): void {
  const { status, stdout } = judgeBySchemas(text, version);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /Valid: [1-9]\d*, Invalid: 0, Errors: 0/);
}

/** ServiceMonitor is none of Kubernetes' own. */
function judgeBySchemas(text: string, version: string) {
  const place = `${SCHEMAS}/${version}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;
  const words = ['-strict', '-summary', '-skip', 'ServiceMonitor', '-schema-location', place];
  return run(KUBECONFORM, [...words, '-kubernetes-version', version, '-'], text);
}

/** As the container would have it; what is secret stands for itself. */
function environmentOf(
  documents: readonly Document[],
  entries: readonly Entry[],
): Record<string, string> {
  const settings = documents.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  const environment: Record<string, string> = { ...settings };
  for (const { name, value, valueFrom } of entries) {
    environment[name] = valueFrom === undefined ? placed(value ?? '') : secretOf(name);
  }
  const known = new Set(SETTINGS.map(({ name }) => name));
  for (const name of Object.keys(environment)) assert.ok(known.has(name), name);
  for (const name of MANAGED) assert.ok(environment[name], name);
  return environment;
}

const DESCRIPTOR =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

function secretOf(name: string): string {
  if (name === 'DATABASE_URL') return 'postgres://quittance:word@database/quittance';
  if (name === 'SMTP_URL') return 'smtp://shop:word@mail.example:587';
  assert.equal(name, 'LITECOIN_DESCRIPTOR');
  return DESCRIPTOR;
}

/** A file of a secret, where the container looks for it. */
function placed(value: string): string {
  if (!value.startsWith('/run/private/')) return value;
  const path = join(directory, basename(value));
  writeFileSync(path, 'a word of more than sixteen characters'.replaceAll(' ', '-'), {
    mode: 0o600,
  });
  return path;
}

test('a schema that nobody keeps to would be seen: an unknown field is refused', () => {
  const broken = render('least').replace('automountServiceAccountToken:', 'automountToken:');
  for (const version of VERSIONS) {
    const { status, stdout } = judgeBySchemas(broken, version);
    assert.notEqual(status, 0);
    assert.match(stdout, /automountToken/);
  }
});

test('a monitor with a field that the operator does not know is refused', () => {
  const broken = render('whole').replace('scrapeTimeout:', 'scrapeTimeouts:');
  const { status, stderr } = run(JUDGE, ['monitors'], broken);
  assert.notEqual(status, 0);
  assert.match(stderr, /scrapeTimeouts/);
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ['publicUrl=', /publicUrl/],
  ['publicUrl=pay.shop.example', /publicUrl/],
  ['database.existingSecret=', /existingSecret/],
  ['keyFile.existingSecret=', /existingSecret/],
  ['settings.ROLES=serve', /ROLES|propertyNames|not/],
  ['settings.litecoin=on', /litecoin/],
  ['settings.BITCOIN_RPC_URL=http://me:word@node', /settings.BITCOIN_RPC_URL has a password/],
  ['roles.serve.replicas=many', /replicas/],
  ['roles.sign.replicas=1', /sign/],
  ['image.digest=latest', /digest/],
  ['unknown=1', /unknown/],
];

for (const [given, said] of WRONG) {
  test(`helm refuses ${given}`, () => {
    const { status, stderr } = template(...valuesOf('least'), '--set', given);
    assert.notEqual(status, 0);
    assert.match(stderr, said);
  });
}

test('secrets that a group may read are placed so that the service takes them', () => {
  const [given, kept, keys] = ['given', 'private', 'data/keys'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  mkdirSync(given);
  mkdirSync(kept);
  mkdirSync(join(given, '..2026_11_24'));
  const key = `${JSON.stringify({ version: 1, key: Buffer.alloc(32, 7).toString('base64') })}\n`;
  for (const [name, text] of [
    ['quittance.key', key],
    ['WATCH_TOKEN_FILE', 'a-token-of-many-characters'],
  ] as const) {
    writeFileSync(join(given, name), text);
    chmodSync(join(given, name), 0o440);
  }
  const container = podsOf(documentsOf(render('least')))
    .map((document) => podOf(document).initContainers?.[0])
    .find((one) => one !== undefined);
  const [script = '', ...places] = container?.args ?? [];
  assert.deepEqual(container?.command, ['node', '--eval']);
  assert.deepEqual(places, ['/run/given', '/run/private', '/data/keys']);
  // A pod that starts anew finds what the last one left.
  for (let start = 0; start < 2; start += 1) {
    well(execPath, ['--eval', script, given, kept, keys]);
    assert.deepEqual(readdirSync(kept).sort(), ['WATCH_TOKEN_FILE', 'quittance.key']);
    assert.equal(statSync(join(kept, 'WATCH_TOKEN_FILE')).mode & 0o777, 0o600);
    assert.ok(lstatSync(join(keys, 'quittance.key')).isSymbolicLink());
    openKeyring(join(keys, 'quittance.key'), systemRandom);
  }
});

test('the migrations run before anything is replaced, as the owner', () => {
  const job = documentsOf(render('least')).find(({ kind }) => kind === 'Job');
  assert.ok(job);
  const [container] = podOf(job).containers;
  assert.deepEqual(container?.command, ['quittance', 'migrate']);
  const names = (container?.env ?? []).map(({ name }) => name);
  assert.deepEqual(names, ['DATABASE_URL', 'DATABASE_OWNER_URL']);
  const others = podsOf(documentsOf(render('least'))).filter(({ kind }) => kind !== 'Job');
  for (const other of others) {
    for (const { env: entries = [] } of podOf(other).containers) {
      assert.ok(!entries.some(({ name }) => name === 'DATABASE_OWNER_URL'), other.metadata.name);
    }
  }
});
