// What a fresh installation needs before it is of any use: a merchant with a test key. Done once; a
// second start, or another at the same time, finds it and changes nothing. The secret of the key is
// written to a file that only its owner reads: what a server prints ends in logs that many read and
// nobody deletes.

import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey, listApiKeys } from '#access/api-key.ts';
import { Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { changeMerchant, findFirstMerchant, type Merchant } from '#merchant/merchant.ts';
import { makeDirectory } from '#runtime/private-file.ts';
import { invite } from '#staff/invitation.ts';
import type { App } from './app.ts';

export type FirstRun = {
  readonly merchantName: string;
  /** A working test key. */
  readonly testKey: string | undefined;
  /** When it was made just now; it stands in the file `firstKeyFile` names. */
  readonly secret: string | undefined;
  /** Of the dashboard, for its first person; stands in the same file. */
  readonly link: string | undefined;
};

const FIRST_MERCHANT = 'My shop';
/** Every program of every version must use the same one. */
const FIRST_RUN_LOCK = 7_305_061n;
const FIRST_KEY_FILE = 'first-key.json';

/** Of first starts at once over one database, one makes what is needed, and the others wait. */
export function ensureFirstMerchant(app: App): Promise<FirstRun> {
  return app.db.transact(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${FIRST_RUN_LOCK})`);
    return (await findFirstRun(app)) ?? makeFirstRun(app);
  });
}

async function findFirstRun({ db }: App): Promise<FirstRun | undefined> {
  const merchant = await findFirstMerchant(db);
  if (merchant === undefined) return undefined;
  const keys = await listApiKeys(db, merchant.id);
  const testKey = keys.find(
    ({ environment, revokedAt }) => environment === 'test' && revokedAt === null,
  );
  return {
    merchantName: merchant.name,
    testKey: testKey?.key,
    secret: undefined,
    link: undefined,
  };
}

async function makeFirstRun(app: App): Promise<FirstRun> {
  const made = await openAccount(app, FIRST_MERCHANT);
  const { key, secret } = await createApiKey(app, {
    merchantId: made.id,
    environment: 'test',
    label: 'first key',
  });
  const link = await firstLink(app, made.id);
  writeFirstKeyFile(app.config.dataDirectory, { key, secret, link });
  return { merchantName: made.name, testKey: key, secret, link };
}

/** Whoever opens it first runs the installation and owns its first shop. */
async function firstLink(app: App, merchantId: string): Promise<string> {
  const { token } = await invite(app, 'service', {
    email: undefined,
    name: '',
    isOperator: true,
    membership: { merchantId, role: 'OWNER' },
  });
  return new URL(`/dashboard/invitation/${token}`, app.publicUrl).href;
}

/**
 * A new merchant account with the terms of this installation. The settlement fee is that of
 * FEE_PERCENT now; later changes of the setting do not change it.
 */
export async function openAccount(app: App, name: string): Promise<Merchant> {
  const merchant = await createMerchant(app, { name });
  const { feePartsPerMillion } = app.config;
  if (feePartsPerMillion > 0) await changeMerchant(app, merchant.id, { feePartsPerMillion });
  return merchant;
}

export function firstKeyFile(dataDirectory: string): string {
  return join(dataDirectory, FIRST_KEY_FILE);
}

type FirstKey = { readonly key: string; readonly secret: string; readonly link: string };

/** Replaces one that an earlier database left. @throws Refusal with one line. */
function writeFirstKeyFile(dataDirectory: string, { key, secret, link }: FirstKey): void {
  const path = firstKeyFile(dataDirectory);
  try {
    makeDirectory(dataDirectory, 0o700);
    rmSync(path, { force: true });
    const file = openSync(path, 'wx', 0o600);
    try {
      writeFileSync(file, `${JSON.stringify({ key, secret, dashboard: link })}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `the secret of the first key cannot be written to ${path} (${code})`;
    throw new Refusal('conflict', 'first_key_file', message, { cause: error });
  }
}
