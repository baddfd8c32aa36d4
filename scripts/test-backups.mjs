// npm run test:backups: backups against a server that speaks S3 and checks every signature (moto, which
// is installed under test-output/ and needs Python 3.10 or later), and opened by age, zstd and tar
// themselves where those are there; and a disk that is full, where root can make one. Not part of npm test.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fail, root, setUp } from './setup.mjs';

const storage = ['moto[s3,server]==5.2.5'];
const startSeconds = 60;
/** So many questions are answered to anybody: those of the seed, which makes somebody. */
const openQuestions = '4';
const seed = `
import boto3, json, sys
at = dict(endpoint_url=sys.argv[1], region_name='us-east-1',
          aws_access_key_id='anybody', aws_secret_access_key='anybody')
iam = boto3.client('iam', **at)
iam.create_user(UserName='backup')
rules = {'Version': '2012-10-17',
         'Statement': [{'Effect': 'Allow', 'Action': 's3:*', 'Resource': '*'}]}
iam.put_user_policy(UserName='backup', PolicyName='all', PolicyDocument=json.dumps(rules))
key = iam.create_access_key(UserName='backup')['AccessKey']
boto3.client('s3', **at).create_bucket(Bucket='shop-backups')
print(json.dumps({'keyId': key['AccessKeyId'], 'secret': key['SecretAccessKey']}))
`;

const node = await setUp();
const bin = install(path.join(root, 'test-output', 'moto'));
const port = await findFreePort();
const endpoint = `http://127.0.0.1:${port}`;
const server = spawn(path.join(bin, 'moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
  env: { ...process.env, INITIAL_NO_AUTH_ACTION_COUNT: openQuestions },
  stdio: 'ignore',
});
const ended = new Promise((resolve) => server.once('exit', resolve));
try {
  await waitUntilListens();
  const made = spawnSync(path.join(bin, 'python'), ['-c', seed, endpoint], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  const given = JSON.stringify({ endpoint, ...JSON.parse(made.stdout) });
  const stories = ['backup', 'full-disk', 'increment', 'increment-service'].map(
    (name) => `test/servers/${name}-stories.ts`,
  );
  const { status } = spawnSync(node, ['--test', ...stories], {
    cwd: root,
    env: { ...process.env, QUITTANCE_TEST_S3: given },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  server.kill('SIGTERM');
  await ended;
}

function install(directory) {
  const place = path.join(directory, process.platform === 'win32' ? 'Scripts' : 'bin');
  if (fs.existsSync(path.join(place, 'moto_server'))) return place;
  const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (python === undefined) fail('Python 3.10 or later is needed: install it and try again');
  fs.mkdirSync(path.dirname(directory), { recursive: true });
  run(python, ['-m', 'venv', directory]);
  run(path.join(place, 'pip'), ['install', '--quiet', ...storage]);
  return place;
}

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit' });
  if (status !== 0) fail(`${command} ${parameters.join(' ')} failed`);
}

async function waitUntilListens() {
  const endsAtMs = Date.now() + startSeconds * 1000;
  while (server.exitCode === null && Date.now() < endsAtMs) {
    const isThere = await new Promise((resolve) => {
      const probe = net.connect(port, '127.0.0.1');
      probe.once('connect', () => resolve(true));
      probe.once('error', () => resolve(false));
      probe.once('close', () => probe.destroy());
      probe.once('connect', () => probe.end());
    });
    if (isThere) return;
    await wait(200);
  }
  throw new Error('the storage does not start');
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
