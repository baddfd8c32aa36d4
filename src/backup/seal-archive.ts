// What makes an archive small and secret: zstd, then age (age-encryption.org/v1) for whoever holds
// one of the identities. age authenticates each piece and the end: what was changed or cut off is
// refused, not restored.

import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Refusal } from '#base/refusal.ts';
import { damaged } from './tar.ts';

/** Loaded when it is needed: no other command waits for it. */
const loadAge = () => import('age-encryption');

const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 3 };

/** @throws Refusal that names a recipient which is none. */
export async function sealArchive(
  archive: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      const sentence = `"${recipient}" is no recipient of age (age1…)`;
      throw new Refusal('invalid', 'backup_recipient', sentence, { cause: error });
    }
  }
  const compressed = through(archive, createZstdCompress({ params: COMPRESSION }));
  return encrypter.encrypt(webStream(compressed));
}

/** @throws Refusal when no identity fits, or the file is none of age. */
export async function openArchive(
  sealed: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
    } catch {
      // What was given is a secret: it is not said again, nor is the error that may quote it.
      throw new Refusal('invalid', 'backup_identity', 'that is no identity (AGE-SECRET-KEY-…)');
    }
  }
  let archive: ReadableStream<Uint8Array>;
  try {
    archive = await decrypter.decrypt(webStream(sealed));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const said = error instanceof Error ? error.message : String(error);
    if (!/no identity matched/.test(said)) throw damaged(`it does not open (${said})`, error);
    const sentence = 'the backup was not made for this identity';
    throw new Refusal('conflict', 'backup_identity', sentence, { cause: error });
  }
  return through(refusing(archive), createZstdDecompress());
}

/** A new identity, and the recipient that backups are made for. */
export async function newIdentity(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await loadAge();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

async function* refusing(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* archive;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw damaged(error instanceof Error ? error.message : String(error), error);
  }
}

/** An error of the source is that of the result, and nothing is read ahead of who takes it. */
async function* through(
  source: AsyncIterable<Uint8Array>,
  step: Transform,
): AsyncGenerator<Uint8Array> {
  // It is seen by whoever reads the step; until somebody does, it would end the process.
  step.on('error', () => undefined);
  const feed = pipeline(source, step).catch((error: unknown) => error);
  for await (const chunk of step) yield chunk as Uint8Array;
  const failure = await feed;
  if (failure !== undefined) throw failure;
}

function webStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(source) as ReadableStream<Uint8Array>;
}
