// What npm run test:woocommerce runs over a fresh service: see scripts/test-woocommerce.mjs.
import path from 'node:path';
import { driveShop } from './drive.mjs';
import { withSite } from './site.mjs';

/** Where orders are kept, and what WooCommerce calls having tables of their own for them (HPOS). */
const ORDERS = [
  { name: 'tables', hpos: 'yes', where: 'tables of their own' },
  { name: 'posts', hpos: 'no', where: 'the table of posts' },
];

/** `paths`: as of withSite, and `orders`, the names of ORDERS to test. `env`, `command`: as of withLiveService. */
export async function testShop(paths, env, command) {
  const asked = paths.orders.split(',');
  const names = ORDERS.map(({ name }) => name);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`--orders: ${unknown} is none of ${names.join(', ')}`);
  const live = JSON.parse(command('key', 'create', '--environment', 'live', '--json'));
  const keys = { ...env, QUITTANCE_LIVE_KEY: live.key, QUITTANCE_LIVE_SECRET: live.secret };
  for (const { hpos, where } of ORDERS.filter(({ name }) => asked.includes(name))) {
    await withSite(paths, { ...keys, SHOP_HPOS: hpos }, async (site) => {
      const { wordpress, woocommerce } = site;
      console.log(`\nWordPress ${wordpress}, WooCommerce ${woocommerce}, orders in ${where}`);
      const product = { SHOP_PRODUCT: `${site.product}` };
      console.log(site.php(path.join(import.meta.dirname, 'in-shop.php'), [], product).trim());
      await driveShop(site, keys, command);
    });
  }
}
