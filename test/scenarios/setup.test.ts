// `npx quittance setup`, by flags and by an interview: what it asks, what it writes, and what it
// leaves alone.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCommandLine } from '#cli/run-command-line.ts';
import { readConfig } from '#server/config.ts';
import { findFreePort } from '#test/support/free-port.ts';

const XPUB =
  'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj';

const made: string[] = [];
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-setup-'));
  made.push(directory);
  return directory;
}
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

type Ran = { readonly exitCode: number; readonly said: string; readonly complained: string };

/** `typed`: what a person answers, in order; without it nobody is there. */
async function run(
  directory: string,
  words: readonly string[],
  typed?: readonly (readonly [prompt: RegExp, answer: string])[],
): Promise<Ran> {
  let said = '';
  let complained = '';
  const left = [...(typed ?? [])];
  const answer = async (prompt: string) => {
    const next = left.shift();
    assert.ok(next, `nothing is left to answer: ${prompt}`);
    assert.match(prompt, next[0]);
    return next[1];
  };
  const exitCode = await runCommandLine(['setup', ...words], {
    environment: {},
    directory,
    say: (text) => {
      said += `${text}\n`;
    },
    complain: (text) => {
      complained += `${text}\n`;
    },
    onProgress: () => undefined,
    person: typed && { ask: answer, askSecret: answer },
  });
  assert.deepEqual(left, [], 'all was asked');
  return { exitCode, said, complained };
}

test('by flags it writes what the service takes, for its owner alone', async () => {
  const directory = newDirectory();
  const words = ['--yes', '--domain', 'pay.shop.example', '--set', 'PORT=8090', '--no-checks'];
  const ran = await run(directory, [...words, '--json']);
  assert.equal(ran.exitCode, 0, ran.complained);
  const file = join(directory, 'quittance.conf');
  assert.deepEqual(JSON.parse(ran.said), {
    ok: true,
    file,
    written: true,
    settings: ['PUBLIC_URL', 'TRUSTED_PROXIES', 'PORT'],
    findings: [],
  });
  if (platform() !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  const config = readConfig({ environment: {}, file: readFileSync(file, 'utf8'), directory });
  assert.equal(config.publicUrl, 'https://pay.shop.example');
  assert.deepEqual(config.trustedProxies, ['127.0.0.1/32', '::1/128']);
  assert.equal(config.sandbox, false, 'nobody plays on a public installation');

  const again = await run(directory, words);
  assert.equal(again.exitCode, 0);
  assert.match(again.said, /says so already; nothing was written/);
});

test('it replaces nothing unasked, and keeps what stood there', async () => {
  const directory = newDirectory();
  const file = join(directory, 'quittance.conf');
  const before = '# by hand\nPORT=8070\n';
  writeFileSync(file, before);
  const words = ['--yes', '--set', 'PORT=8071', '--no-checks'];
  const refused = await run(directory, words);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.complained, /is there and says something else: --replace/);
  assert.equal(readFileSync(file, 'utf8'), before);
  assert.equal((await run(directory, [...words, '--replace'])).exitCode, 0);
  assert.equal(readFileSync(file, 'utf8'), '# by hand\nPORT=8071\n');
  assert.equal(readFileSync(`${file}.old`, 'utf8'), before);
});

test('what the service would refuse is refused before anything is written', async () => {
  const directory = newDirectory();
  const cases: [string[], RegExp][] = [
    [['--set', 'PORT=high'], /PORT: must be a whole number/],
    [['--set', 'COLOUR=blue'], /COLOUR: unknown setting/],
    [['--set', 'BITCOIN_RPC_URL=http://127.0.0.1:1'], /BITCOIN_DESCRIPTOR: missing/],
    [['--domain', 'no name'], /--domain: no name is no name/],
    [['--set', 'PORT'], /--set: must be NAME=value/],
  ];
  for (const [words, says] of cases) {
    const ran = await run(directory, ['--yes', '--no-checks', ...words]);
    assert.notEqual(ran.exitCode, 0, words.join(' '));
    assert.match(ran.complained, says);
  }
  const alone = await run(directory, []);
  assert.equal(alone.exitCode, 2);
  assert.match(alone.complained, /nobody can be asked here: --yes/);
  assert.equal(existsSync(join(directory, 'quittance.conf')), false);
});

test('asked at a terminal, a wrong answer is asked again, and all is checked before it is written', async () => {
  const directory = newDirectory();
  const smtp = `smtp://shop@127.0.0.1:${await findFreePort()}`;
  const node = `http://user:pass@127.0.0.1:${await findFreePort()}`;
  const ran = await run(
    directory,
    // No test asks servers of strangers.
    ['--set', 'PRICE_SOURCES=off'],
    [
      [/^domain that customers reach \[empty/, ''],
      [/^where keys .* \[\.\/data\]/, './here'],
      [/^own PostgreSQL/, 'mysql://x'],
      [/^own PostgreSQL/, ''],
      [/^names, with commas \[none yet\]/, 'dogecoin'],
      [/^names, with commas \[none yet\]/, 'bitcoin'],
      [/^your node/, node],
      [/^public key to derive/, XPUB],
      [/^mail server/, smtp],
      [/^password of shop/, 'hush # quiet'],
      [/^whom mails come from/, ''],
      [/^whom mails come from/, 'Shop <pay@shop.test>'],
      [/Write .*quittance\.conf\? \[y\/N\]/, 'y'],
    ],
  );
  assert.equal(ran.exitCode, 1, 'a node and a mail server are away');
  assert.match(ran.said, /DATABASE_URL: must begin with postgres:/);
  assert.match(ran.said, /DOGECOIN: not one of these/);
  assert.match(ran.said, /BAD {2}live:BITCOIN .*look at the node and its settings/);
  assert.match(ran.said, /BAD {2}mail .*mails wait/);
  assert.match(ran.said, /ok {3}disk /);
  assert.match(ran.said, /Written: .*quittance\.conf/);
  const text = readFileSync(join(directory, 'quittance.conf'), 'utf8');
  assert.ok(text.includes(`BITCOIN_RPC_URL=${node}\n`));
  assert.doesNotMatch(text, /hush/);
  assert.equal(readFileSync(join(directory, 'smtp-password'), 'utf8'), 'hush # quiet\n');

  const no = await run(
    directory,
    ['--no-checks'],
    [
      [/^domain/, 'pay.shop.example'],
      [/^where keys .* \[\.\/here\]/, ''],
      [/^own PostgreSQL/, ''],
      [/^names, with commas \[BITCOIN\]/, ''],
      [/^your node .* \[http/, ''],
      [/^public key .* \[xpub/, ''],
      [/^mail server .* \[smtp/, ''],
      [/^whom mails come from/, ''],
      [/^\nReplace .*kept as .*\.old\)\? \[y\/N\]/, ''],
    ],
  );
  assert.equal(no.exitCode, 1);
  assert.match(no.complained, /nothing was written/);
  assert.equal(readFileSync(join(directory, 'quittance.conf'), 'utf8'), text);
});
