// npm run test:vendure: Vendure with the plugin, its database our embedded PostgreSQL.
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { findFreePort } from '../../../scripts/live-service.mjs';
import { installShop } from '../../test/install-plugin.mjs';
import { openShopDatabase } from '../../test/open-shop-database.mjs';
import { startProgram, until } from '../../test/run-shop.mjs';
import { playVendure } from './play-vendure.mjs';

const folder = installShop('vendure');
const database = await openShopDatabase(folder);
const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
const { connection } = database;
const env = {
  ...process.env,
  PORT: String(port),
  SHOP_URL: origin,
  SHOP_ADMIN: 'admin',
  SHOP_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
  SHOP_TOKEN_SECRET: randomBytes(32).toString('hex'),
  SHOP_DATABASE_HOST: connection.host,
  SHOP_DATABASE_PORT: String(connection.port),
  SHOP_DATABASE_USER: connection.user,
  SHOP_DATABASE_PASSWORD: connection.password,
};
const shop = startProgram(['shop.cjs'], { cwd: folder, env });
try {
  const isFilled = () => shop.said().includes('the shop is filled');
  await until('Vendure is filled', isFilled, shop.isRunning);
  await playVendure({ origin, env });
  console.log('All passed.');
} catch (error) {
  console.error(shop.said().slice(-6000));
  throw error;
} finally {
  await shop.end();
  await database.close();
}
