// What a fresh installation needs before it is of any use: a merchant with a test key. Done once; a
// second start finds it and changes nothing.

import { createApiKey, listApiKeys } from '#account/api-key.ts';
import { findFirstMerchant } from '#account/merchant.ts';
import type { App } from './app.ts';
import { writeFirstKeyFile } from './first-key-file.ts';
import { openAccount } from './open-account.ts';

export type FirstRun = {
  readonly merchantName: string;
  /** A working test key. */
  readonly testKey: string | undefined;
  /** When it was made just now; it stands in the file of first-key-file.ts. */
  readonly secret: string | undefined;
};

const FIRST_MERCHANT = 'My shop';

export async function ensureFirstMerchant(app: App): Promise<FirstRun> {
  const merchant = await findFirstMerchant(app.db);
  if (merchant !== undefined) {
    const keys = await listApiKeys(app.db, merchant.id);
    const testKey = keys.find(
      ({ environment, revokedAt }) => environment === 'test' && revokedAt === null,
    );
    return { merchantName: merchant.name, testKey: testKey?.key, secret: undefined };
  }
  const made = await openAccount(app, FIRST_MERCHANT);
  const { key, secret } = await createApiKey(app, {
    merchantId: made.id,
    environment: 'test',
    label: 'first key',
  });
  writeFirstKeyFile(app.config.dataDirectory, { key, secret });
  return { merchantName: made.name, testKey: key, secret };
}
