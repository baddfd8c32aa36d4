// npm run test:medusa: Medusa with the provider, its database our embedded PostgreSQL.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { findFreePort } from '../../../scripts/live-service.mjs';
import { installShop } from '../../test/install-plugin.mjs';
import { openShopDatabase } from '../../test/open-shop-database.mjs';
import { runProgram, startProgram, until } from '../../test/run-shop.mjs';
import { playMedusa } from './play-medusa.mjs';

const folder = installShop('medusa');
const database = await openShopDatabase(folder);
const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
const admin = { email: 'admin@shop.example', password: randomBytes(12).toString('hex') };
const env = {
  ...process.env,
  DATABASE_URL: database.url,
  SHOP_URL: origin,
  SHOP_TOKEN_SECRET: randomBytes(32).toString('hex'),
  MEDUSA_DISABLE_TELEMETRY: 'true',
  NODE_ENV: 'production',
};
const command = path.join(folder, 'node_modules', '@medusajs', 'cli', 'cli.js');
try {
  const at = { cwd: folder, env };
  await runProgram([command, 'db:migrate', '--execute-all-links'], at);
  await runProgram([command, 'user', '-e', admin.email, '-p', admin.password], at);
  const shop = startProgram([command, 'start', '-p', String(port), '-H', '127.0.0.1'], at);
  try {
    const isUp = () =>
      fetch(`${origin}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('Medusa answers', isUp, shop.isRunning);
    await playMedusa({ origin, admin, env });
    console.log('All passed.');
  } catch (error) {
    console.error(shop.said().slice(-6000));
    throw error;
  } finally {
    await shop.end();
  }
} finally {
  await database.close();
}
