// Signs bytes as they are by a key of ssh-keygen. `ssh-keygen -Y sign` puts a form of its own around what
// it signs, which only OpenSSH reads; the agent of OpenSSH signs the bare bytes, asks for a passphrase
// where there is one, and never shows the key. Its protocol: draft-ietf-sshm-ssh-agent.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

const ASK_KEYS = 11;
const ANSWER_KEYS = 12;
const ASK_SIGNATURE = 13;
const ANSWER_SIGNATURE = 14;
const startMs = 10_000;

/**
 * `use({ fingerprint, sign })` with the key of this file: a private one is held by an agent of our own for
 * so long, of a public one the agent that is there has the other half. Gives undefined, and calls nothing,
 * for a key of another kind than ed25519: what a security key signs, nobody verifies without its form.
 */
export async function withKey(file, use) {
  const text = fs.readFileSync(file, 'utf8');
  const [kind, blob] = text.split(' ');
  if (/^[a-z0-9@.-]+$/.test(kind) && blob !== undefined) {
    return useKey(process.env.SSH_AUTH_SOCK ?? '', Buffer.from(blob, 'base64'), use);
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quittance-key-'));
  const socket = path.join(folder, 'agent');
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  const ended = new Promise((resolve) => agent.once('close', resolve));
  try {
    for (const endsAt = Date.now() + startMs; !fs.existsSync(socket); await wait(20)) {
      if (Date.now() > endsAt) throw new Error('ssh-agent does not start');
    }
    const env = { ...process.env, SSH_AUTH_SOCK: socket };
    const { status } = spawnSync('ssh-add', ['-q', file], {
      env,
      stdio: ['inherit', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`ssh-add does not take ${file}`);
    const answer = await ask(socket, ANSWER_KEYS, Buffer.of(ASK_KEYS));
    return await useKey(socket, readString(answer, 5), use);
  } finally {
    agent.kill('SIGTERM');
    await ended;
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function useKey(socket, blob, use) {
  if (readString(blob, 0).toString() !== 'ssh-ed25519') return undefined;
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  const sign = async (bytes) => {
    const question = [Buffer.of(ASK_SIGNATURE), string(blob), string(bytes), Buffer.alloc(4)];
    const answer = await ask(socket, ANSWER_SIGNATURE, Buffer.concat(question));
    const signature = readString(answer, 1);
    return readString(signature, 4 + readString(signature, 0).length);
  };
  return use({ fingerprint: `SHA256:${digest}`, sign });
}

/** One question, one answer, each behind its length. */
function ask(socket, wanted, question) {
  return new Promise((resolve, reject) => {
    const connection = net.connect(socket, () => connection.write(string(question)));
    let seen = Buffer.alloc(0);
    connection.on('data', (bytes) => {
      seen = Buffer.concat([seen, bytes]);
      if (seen.length < 4 || seen.length < 4 + seen.readUInt32BE(0)) return;
      connection.end();
      const answer = readString(seen, 0);
      if (answer[0] === wanted) resolve(answer);
      else reject(new Error('the agent of ssh does not sign by this key'));
    });
    connection.once('error', reject);
    connection.once('close', () => reject(new Error('the agent of ssh says nothing')));
  });
}

function string(bytes) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function readString(bytes, at) {
  return bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at));
}
