// npm run test:examples: every example of a shop, installed for itself and played over a fresh
// service. `-- express,hono` some of them. Not part of npm test: they need registries, and for
// their languages python3, php and go. An example that this machine cannot play is left out, which is
// said, or an error where it was named. An example is a folder of
// shops/examples with a run.mjs, whose default export says: `missing` (what this machine lacks),
// `prepare`, `start`, and `play` where it is no shop as of play-shop.mjs.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findFreePort, withLiveService } from './live-service.mjs';
import { fail, root, setUp } from './setup.mjs';

const startSeconds = 120;
const source = path.join(root, 'shops', 'examples');
const output = path.join(root, 'test-output', 'examples');
const known = fs
  .readdirSync(source)
  .filter((name) => fs.existsSync(path.join(source, name, 'run.mjs')));
const named = process.argv[2]?.split(',');
const wanted = named ?? known;
const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) fail(`There is no ${unknown}: ${known.join(', ')}`);

const node = await setUp();
const { playable, leftOut } = await chooseExamples();
const failed = named === undefined ? [] : leftOut;
if (playable.length > 0) {
  fs.rmSync(output, { recursive: true, force: true });
  await withLiveService(node, async (env) => {
    for (const { name, example } of playable) {
      console.log(`\n== ${name}`);
      const isPassed = await testExample(name, example, env).catch((error) => {
        console.error(error);
        return false;
      });
      if (!isPassed) failed.push(name);
    }
  });
}
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function chooseExamples() {
  const playable = [];
  const leftOut = [];
  for (const name of wanted) {
    const { href } = pathToFileURL(path.join(source, name, 'run.mjs'));
    const { default: example } = await import(href);
    const missing = example.missing?.();
    if (missing === undefined) playable.push({ name, example });
    else {
      console.log(`\n== ${name}\nleft out: ${missing}`);
      leftOut.push(name);
    }
  }
  return { playable, leftOut };
}

async function testExample(name, example, env) {
  const folder = path.join(output, name);
  fs.cpSync(path.join(source, name), folder, { recursive: true });
  await example.prepare({ node, folder, output, root });
  const port = await findFreePort();
  const { playShop } = await import(pathToFileURL(path.join(source, 'play-shop.mjs')).href);
  const play = example.play ?? playShop;
  const shop = startShop(example, { folder, port, env });
  try {
    await waitUntilListens(shop);
    await play(shop, env);
    console.log(`ok  ${name}`);
    return true;
  } catch (error) {
    console.error(error);
    console.error(shop.said().slice(-4000));
    return false;
  } finally {
    await shop.end();
  }
}

/** The shop of an example, as its `start` says it, with what it prints. */
function startShop(example, { folder, port, env }) {
  const { program, words, env: more } = example.start({ node, folder, port });
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...env, PORT: String(port), SHOP_URL: url, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const end = async () => {
    // The whole group: a shop may have started others.
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  const { buy = '/buy', hook = '/quittance' } = example;
  return { url, buy, hook, child, said: () => said, end };
}

async function waitUntilListens(shop) {
  const endsAtMs = Date.now() + startSeconds * 1000;
  while (shop.child.exitCode === null && Date.now() < endsAtMs) {
    const isThere = await fetch(shop.url).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await wait(100);
  }
  throw new Error('the shop does not start');
}
