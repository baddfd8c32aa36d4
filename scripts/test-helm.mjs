// npm run test:helm: the chart, judged by Helm, by kubeconform with the schemas of Kubernetes, and by the
// Prometheus operator's own types. The three programs are built by the ordinary Go tool, the schemas come
// with a package of Python; all once, into test-output/. Not part of npm test.
// Programs of your own: QUITTANCE_TEST_HELM, QUITTANCE_TEST_KUBECONFORM.
// UPDATE_GOLDEN=1 keeps what is rendered now (test/helm/kept).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';

const home = path.join(root, 'test-output', 'helm');
/** Of the oldest version that the chart takes, and of the newest that the package has. */
const SCHEMAS = {
  package: 'kubernetes-validate',
  version: '1.37.0',
  ofKubernetes: ['1.25.0', '1.37.0'],
};
const programs = [
  { variable: 'QUITTANCE_TEST_HELM', name: 'helm', from: 'helm.sh/helm/v3/cmd/helm@v3.22.0' },
  {
    variable: 'QUITTANCE_TEST_KUBECONFORM',
    name: 'kubeconform',
    from: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  },
];

const node = await setUp();
fs.mkdirSync(home, { recursive: true });
const given = Object.fromEntries(programs.map((one) => [one.variable, provide(one)]));
const { status } = spawnSync(node, ['--test', 'test/helm/helm-stories.ts'], {
  cwd: root,
  env: {
    ...process.env,
    ...given,
    QUITTANCE_TEST_JUDGE: buildJudge(),
    QUITTANCE_TEST_KUBERNETES_SCHEMAS: provideSchemas(),
  },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

function provide({ variable, name, from }) {
  const own = process.env[variable];
  if (own !== undefined) {
    if (!fs.existsSync(own)) fail(`${variable}: there is no file ${own}`);
    return own;
  }
  const folder = path.join(home, from.slice(from.lastIndexOf('@') + 1));
  const built = path.join(folder, name);
  if (fs.existsSync(built)) return built;
  console.error(`Building ${from} (some minutes) ...`);
  go(['install', from], root, { GOBIN: folder });
  return built;
}

/** A Go program of ours: its go.mod pins what it is made of. */
function buildJudge() {
  const built = path.join(home, 'judge');
  go(['build', '-mod=readonly', '-o', built, '.'], path.join(root, 'test', 'helm', 'judge'));
  return built;
}

function go(words, directory, more = {}) {
  const { error, status, stderr } = spawnSync('go', words, {
    cwd: directory,
    env: { ...process.env, GOFLAGS: '-modcacherw', ...more },
    encoding: 'utf8',
  });
  if (error !== undefined) {
    fail(
      'Go is missing: npm run test:helm builds with it. Install Go 1.25 or later (https://go.dev)',
    );
  }
  if (status !== 0) fail(`go ${words.join(' ')} failed:\n${stderr}`.trimEnd());
}

/**
 * Of each version of Kubernetes one folder, with references into a file beside. The package says of each
 * schema that it lies at an address, where nobody is asked for what it refers to: both are made
 * to say where it lies here.
 */
function provideSchemas() {
  const schemas = path.join(home, `schemas-${SCHEMAS.version}`);
  if (fs.existsSync(schemas)) return schemas;
  const wanted = `${SCHEMAS.package}==${SCHEMAS.version}`;
  const brought = fs.mkdtempSync(path.join(home, 'brought-'));
  const words = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', brought, wanted];
  const { error, status } = spawnSync('python3', words, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PIP_ROOT_USER_ACTION: 'ignore' },
  });
  if (error !== undefined || status !== 0) {
    fail(`the schemas of Kubernetes cannot be had: pip install ${wanted}, with Python 3`);
  }
  const draft = `${schemas}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  for (const version of SCHEMAS.ofKubernetes) {
    const from = path.join(
      ...[brought, 'kubernetes_validate', 'kubernetes-json-schema', `v${version}-local-strict`],
    );
    fs.mkdirSync(path.join(draft, version), { recursive: true });
    for (const name of fs.readdirSync(from)) {
      const text = fs.readFileSync(path.join(from, name), 'utf8');
      const { $id: _id, ...schema } = JSON.parse(
        text.replaceAll('"$ref": "/api/_definitions.json#', '"$ref": "_definitions.json#'),
      );
      fs.writeFileSync(path.join(draft, version, name), JSON.stringify(schema));
    }
  }
  fs.renameSync(draft, schemas);
  fs.rmSync(brought, { recursive: true, force: true });
  return schemas;
}
