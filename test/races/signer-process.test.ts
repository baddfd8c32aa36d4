// The signer as a process: killed at any moment, asked by many at once, and looked into.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSignerClient } from '#signer/client.ts';
import { signQuestion, writeLine } from '#signer/protocol.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { verifySignerLog } from '#signer/signer-log.ts';
import { byLength } from '#test/support/run-length.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import {
  APPROVER_PASSPHRASE,
  createSignerProcess,
  PASSPHRASE,
  type SignerProcess,
} from '#test/support/signer-process.ts';
import {
  EVM_SECRET,
  evmOrder,
  plain,
  WIDE_RULES,
  XRPL_SEED,
  xrplOrder,
} from '#test/support/signer-world.ts';

const SIGN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'sign-main.ts');
let signer: SignerProcess;
before(() => {
  signer = createSignerProcess();
});
after(() => signer.close());

const nth = (count: number) => evmOrder({ id: `order-${count}` }, { nonce: BigInt(count) });

/** Sends the question and listens to nothing. */
function askWithoutListening(order: SignOrder): void {
  const socket = connect(signer.socket);
  socket.on('error', () => undefined);
  socket.write(writeLine(signQuestion(order)));
}

function signedInLog(orderId: string): readonly string[] {
  const found: string[] = [];
  verifySignerLog(signer.log, undefined, ({ entry }) => {
    if (entry.kind === 'signed' && entry.order.id === orderId) found.push(entry.signedTransaction);
  });
  return found;
}

test('killed after the line was written, it gives the same bytes afterwards, and has one line', async () => {
  for (let count = 0; count < byLength({ short: 2, long: 6 }); count += 1) {
    await signer.start();
    const order = nth(count);
    const { size } = statSync(signer.log);
    askWithoutListening(order);
    // As soon as there is anything of the line, whole or not.
    while (statSync(signer.log).size === size) await sleep(1);
    await signer.kill9();
    await signer.start();
    const outcome = await openSignerClient(signer.socket).sign(order);
    assert(outcome.outcome === 'SIGNED');
    assert.deepEqual(signedInLog(order.id), [outcome.signedTransaction]);
    await signer.kill9();
  }
});

test('64 clients at once get of one daily cap what it has, and no more', async () => {
  const rules = WIDE_RULES.replace(
    /asset = "XRP:NATIVE"\nper_transaction = "1000000"\nper_day = "1000000"/,
    // Ten payments of 25 XRP with their fees.
    'asset = "XRP:NATIVE"\nper_transaction = "25"\nper_day = "250.001"',
  );
  await signer.start(rules);
  const client = openSignerClient(signer.socket);
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, (_, at) => {
      const turn = { sequence: 1_000n + BigInt(at) };
      return client.sign(xrplOrder({ id: `race-${at}` }, { turn }));
    }),
  );
  const count = (name: string) => outcomes.filter(({ outcome }) => outcome === name).length;
  assert.deepEqual([count('SIGNED'), count('REFUSED')], [10, 54]);
  await signer.stop();
});

test('a second signer over the same directory does not start', async () => {
  await signer.start();
  const words = ['sign', '--directory', signer.directory];
  const { code, stderr } = await command([...words, '--passphrase-file', signer.passphraseFile]);
  assert.equal(code, 1);
  assert.match(stderr, /lock is held by process/);
  assert.equal(await signer.stop(), 0);
});

function command(words: readonly string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [SIGN, ...words], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('a second person approves on the command line', async () => {
  const rules = WIDE_RULES.replace(
    'asset = "XRP:NATIVE"',
    'asset = "XRP:NATIVE"\nsecond_person_above = "20"',
  );
  await signer.start(rules);
  const client = openSignerClient(signer.socket);
  const order = xrplOrder({ id: 'large' }, { turn: { sequence: 77n } });
  const asked = await client.sign(order);
  assert(asked.outcome === 'NEEDS_APPROVAL');
  const words = ['sign', 'approve', asked.code, '--as', 'anna', '--directory', signer.directory];
  const file = join(signer.directory, 'anna');
  writeFileSync(file, `${PASSPHRASE}\n`);
  const wrong = await command([...words, '--approver-passphrase-file', file]);
  assert.deepEqual([wrong.code, /passphrase is wrong/.test(wrong.stderr)], [1, true]);
  writeFileSync(file, `${APPROVER_PASSPHRASE}\n`);
  const right = await command([...words, '--approver-passphrase-file', file, '--json']);
  assert.equal(right.code, 0, right.stderr);
  assert.match(right.stdout, /25 XRP to rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w 7/);
  assert.equal((await client.sign(order)).outcome, 'SIGNED');
  const verify = ['sign', 'log', 'verify', '--with-keys', '--directory', signer.directory];
  const proven = await command([...verify, '--passphrase-file', signer.passphraseFile]);
  assert.match(proven.stdout, /Chain and seals are right/);
  const status = await command(['sign', 'status', '--directory', signer.directory]);
  assert.match(status.stdout, /evm {2}live:ETHEREUM/);
  await signer.stop();
});

const isLinux = process.platform === 'linux';

/** Whether any of it stands in the memory that the process has. */
function memoryHolds(pid: number, wanted: readonly Buffer[]): boolean[] {
  const found = wanted.map(() => false);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const chunk = Buffer.alloc(8 * 1024 * 1024);
  const overlap = 256;
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from, to, more] = /^([0-9a-f]+)-([0-9a-f]+) (r\S+ .*)$/.exec(line) ?? [];
      if (from === undefined || to === undefined || /\[v(?:var|syscall)/.test(more ?? '')) continue;
      const end = BigInt(`0x${to}`);
      for (let at = BigInt(`0x${from}`); at < end; at += BigInt(chunk.length - overlap)) {
        const left = end - at;
        const size = left < BigInt(chunk.length) ? Number(left) : chunk.length;
        const count = readOrNothing(memory, chunk, size, at);
        const part = chunk.subarray(0, count);
        for (const [index, one] of wanted.entries()) {
          if (part.includes(one)) found[index] = true;
        }
      }
    }
  } finally {
    closeSync(memory);
  }
  return found;
}

function readOrNothing(file: number, chunk: Buffer, size: number, at: bigint): number {
  try {
    return readSync(file, chunk, 0, size, at);
  } catch {
    // Pages that nobody has touched, or that are gone meanwhile.
    return 0;
  }
}

test('the memory of the service that works with the signer holds no key', {
  skip: !isLinux,
}, async () => {
  await signer.start();
  const order = evmOrder({ id: 'watched' }, { nonce: 900n });
  const report = join(signer.directory, 'report');
  const loaded = join(import.meta.dirname, '..', 'support', 'ask-signer.ts');
  const server = await openServerProcess({
    settings: {
      NODE_OPTIONS: `--import ${loaded}`,
      ASK_SIGNER_SOCKET: signer.socket,
      ASK_SIGNER_QUESTION: writeLine({ ask: 'sign', order: plain(order) }).trim(),
      ASK_SIGNER_REPORT: report,
    },
  });
  try {
    await server.start();
    const read = () => {
      try {
        return JSON.parse(readFileSync(report, 'utf8')) as { pid: number; signed: number };
      } catch {
        return { pid: 0, signed: 0 };
      }
    };
    while (read().signed < 5) await sleep(50);
    const secrets = [
      Buffer.from(EVM_SECRET, 'hex'),
      Buffer.from(EVM_SECRET),
      Buffer.from(EVM_SECRET, 'utf16le'),
      Buffer.from(XRPL_SEED),
      Buffer.from(PASSPHRASE),
    ];
    const outcome = await openSignerClient(signer.socket).sign(order);
    assert(outcome.outcome === 'SIGNED');
    const known = Buffer.from(outcome.signedTransaction);
    const [knows, ...holds] = memoryHolds(read().pid, [known, ...secrets]);
    assert.equal(knows, true, 'what it was given is found in it, so that looking works');
    assert.deepEqual(
      holds,
      secrets.map(() => false),
    );
    const inSigner = memoryHolds(signer.pid(), secrets);
    assert.equal(inSigner[0], true, 'the key itself is found where it is');
    assert.equal(inSigner[1] || inSigner[3], true);
  } finally {
    await server.close();
    await signer.stop();
  }
});
