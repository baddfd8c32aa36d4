// The signer as the process that it is, over a directory of its own in which the keys of
// signer-world.ts are. Nothing of it outlives the test.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { KEY_FAMILIES } from '#networks/signing/signing-keys.ts';
import { addApprover, addKey, setUpSigner } from '#signer/manage-keys.ts';
import type { NewKey } from '#signer/open-key.ts';
import { seededRandom } from './seeded-random.ts';
import { QUICK_IMPORTS } from './server-process.ts';
import { EVM_SECRET, UTXO_SEED, WEAK_SEAL, WIDE_RULES, XRPL_SEED } from './signer-world.ts';

export type SignerProcess = {
  readonly directory: string;
  readonly socket: string;
  readonly log: string;
  readonly passphraseFile: string;
  pid(): number;
  output(): string;
  /** Resolves when it listens; rejects with what it said when it ends instead. */
  start(rules?: string): Promise<void>;
  kill9(): Promise<void>;
  /** Orderly; gives the exit code. */
  stop(): Promise<number | null>;
  close(): Promise<void>;
};

export const PASSPHRASE = 'correct horse battery';
export const APPROVER_PASSPHRASE = 'the words of anna';
const PROGRAM = join(import.meta.dirname, '..', '..', 'src', 'cli', 'sign-main.ts');

const KEYS: readonly NewKey[] = [
  { name: 'evm', network: 'ETHEREUM', chain: 'main', secret: EVM_SECRET, environment: 'live' },
  { name: 'xrp', network: 'XRP_LEDGER', chain: 'main', secret: XRPL_SEED, environment: 'live' },
  { name: 'btc', network: 'BITCOIN', chain: 'regtest', secret: UTXO_SEED, environment: 'live' },
];

export function createSignerProcess(keys: readonly NewKey[] = KEYS): SignerProcess {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-signer-'));
  const passphraseFile = join(directory, 'passphrase');
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`, { mode: 0o600 });
  const random = seededRandom(3);
  const opened = {
    directory,
    passphrase: PASSPHRASE,
    random,
    families: KEY_FAMILIES,
    cost: WEAK_SEAL,
  };
  setUpSigner(opened);
  for (const key of keys) addKey(opened, key);
  addApprover(opened, 'anna', APPROVER_PASSPHRASE);
  let child: ChildProcess | undefined;
  let output = '';
  const kill = () => child?.kill('SIGKILL');
  process.once('exit', kill);

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const hasEnded = child === undefined || child.exitCode !== null || child.signalCode !== null;
    if (child === undefined || hasEnded) return child?.exitCode ?? null;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return child.exitCode;
  }

  return {
    directory,
    socket: join(directory, 'socket'),
    log: join(directory, 'log.jsonl'),
    passphraseFile,
    pid: () => child?.pid ?? 0,
    output: () => output,
    async start(rules = WIDE_RULES) {
      writeFileSync(join(directory, 'signer.toml'), rules);
      const words = ['sign', '--directory', directory, '--passphrase-file', passphraseFile];
      const started = spawn(process.execPath, ['--import', QUICK_IMPORTS, PROGRAM, ...words], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      let said = '';
      await new Promise<void>((resolve, reject) => {
        const hear = (bytes: Buffer) => {
          said += bytes.toString();
          output += bytes.toString();
          if (said.includes('signing at ')) resolve();
        };
        started.stdout?.on('data', hear);
        started.stderr?.on('data', hear);
        started.once('close', () => reject(new Error(said)));
      });
    },
    async kill9() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    async close() {
      await end('SIGKILL');
      process.removeListener('exit', kill);
      rmSync(directory, { recursive: true, force: true });
      assert(child?.exitCode !== undefined);
    },
  };
}
