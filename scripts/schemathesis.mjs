// npm run test:schemathesis: an independent checker reads /openapi.json of a running server and tries
// to find an answer that the document does not announce. Needs Python 3.10 or later; the checker is
// installed under test-output/. Not part of npm test. What follows -- is passed on to the checker.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { withLiveService } from './live-service.mjs';
import { fail, root, setUp } from './setup.mjs';

const checker = 'schemathesis==4.32.5';
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  // Of schemathesis_hooks.py.
  'known_answer',
];
// Which 503 are honest answers is checked by known_answer.
const config = `[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "503"]
`;
const node = await setUp();
const output = path.join(root, 'test-output');
fs.mkdirSync(output, { recursive: true });
const program = installChecker(path.join(output, 'schemathesis'));
const configFile = path.join(output, 'schemathesis.toml');
fs.writeFileSync(configFile, config);
process.exitCode = await withLiveService(node, check);

function check(env) {
  const { status } = spawnSync(
    program,
    [
      ...['--config-file', configFile],
      'run',
      `${env.QUITTANCE_URL}/api/v1/openapi.json`,
      ...['--url', `${env.QUITTANCE_URL}/api/v1`],
      ...['--checks', checks.join(',')],
      ...process.argv.slice(2),
    ],
    {
      cwd: output,
      stdio: 'inherit',
      env: {
        ...env,
        PYTHONPATH: path.join(root, 'scripts'),
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
      },
    },
  );
  return status ?? 1;
}

function installChecker(directory) {
  const bin = path.join(directory, process.platform === 'win32' ? 'Scripts' : 'bin');
  const installed = path.join(bin, 'schemathesis');
  if (fs.existsSync(installed)) return installed;
  const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (python === undefined) fail('Python 3.10 or later is needed: install it and try again');
  run(python, ['-m', 'venv', directory]);
  run(path.join(bin, 'pip'), ['install', '--quiet', checker]);
  return installed;
}

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit' });
  if (status !== 0) fail(`${command} ${parameters.join(' ')} failed`);
}
