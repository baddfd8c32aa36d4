// A backup into an empty database, from its sealed bytes: whole and checked, or nothing at all.

import { createHash } from 'node:crypto';
import { openCopyConnection } from '#db/copy-connection.ts';
import { type Loaded, loadArchive, refuseFull } from './load-archive.ts';
import type { SealedManifest } from './manifest.ts';
import { openArchive } from './seal-archive.ts';
import { damaged, readTar } from './tar.ts';

type RestoreSource = {
  readonly sealed: AsyncIterable<Uint8Array>;
  /** What was written down beside it; undefined where it came without. */
  readonly sha256: string | undefined;
  readonly identities: readonly string[];
};

type RestoreOptions = {
  /** By the owner of the schema. */
  readonly connection: Parameters<typeof openCopyConnection>[0];
  readonly migrations: Parameters<typeof loadArchive>[2]['migrations'];
  readonly onProgress: (step: string) => void;
  /** Before anything is written. @throws Refusal when this backup does not fit here. */
  readonly onManifest: (manifest: SealedManifest, files: ReadonlyMap<string, Uint8Array>) => void;
};

/** @throws Refusal, Outage; then the database is as empty as it was. */
export async function restoreBackup(
  { sealed, sha256, identities }: RestoreSource,
  { connection: where, ...options }: RestoreOptions,
): Promise<Loaded> {
  const connection = await openCopyConnection(where);
  try {
    await refuseFull(connection);
    const digest = createHash('sha256');
    const archive = await openArchive(digesting(sealed, digest), identities);
    const onRead = () => {
      if (sha256 !== undefined && digest.digest('hex') !== sha256) {
        throw damaged('its checksum is not the one of its manifest');
      }
    };
    return await loadArchive(connection, readTar(archive), { ...options, onRead });
  } finally {
    await connection.close();
  }
}

async function* digesting(
  source: AsyncIterable<Uint8Array>,
  digest: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    digest.update(chunk);
    yield chunk;
  }
}
