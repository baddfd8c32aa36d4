// What npm run test:woocommerce runs over a fresh service: see scripts/test-woocommerce.mjs.
import path from 'node:path';
import { driveShop } from './drive.mjs';
import { withSite } from './site.mjs';

/**
 * Where orders are kept, and what WooCommerce calls having tables of their own for them (HPOS). `once`: a network in whose
 * coin nothing else is sold, so that the balance holds one sale and nothing for the network.
 */
const ORDERS = [
  { name: 'tables', hpos: 'yes', where: 'tables of their own', once: 'BITCOIN' },
  { name: 'posts', hpos: 'no', where: 'the table of posts', once: 'XRP_LEDGER' },
];

/** `paths`: as of withSite, and `orders`, the names of ORDERS to test. `env`, `command`: as of withLiveService. */
export async function testShop(paths, env, command) {
  const asked = paths.orders.split(',');
  const names = ORDERS.map(({ name }) => name);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`--orders: ${unknown} is none of ${names.join(', ')}`);
  const makeKey = (...words) => JSON.parse(command('key', 'create', ...words, '--json'));
  const live = makeKey('--environment', 'live');
  const selling = makeKey('--environment', 'test', '--scopes', 'read,checkout');
  const keys = {
    ...env,
    QUITTANCE_LIVE_KEY: live.key,
    QUITTANCE_LIVE_SECRET: live.secret,
    QUITTANCE_SELLING_KEY: selling.key,
    QUITTANCE_SELLING_SECRET: selling.secret,
  };
  for (const { hpos, where, once } of ORDERS.filter(({ name }) => asked.includes(name))) {
    await withSite(paths, { ...keys, SHOP_HPOS: hpos }, async (site) => {
      const { wordpress, woocommerce } = site;
      console.log(`\nWordPress ${wordpress}, WooCommerce ${woocommerce}, orders in ${where}`);
      const product = { SHOP_PRODUCT: `${site.product}`, SHOP_NETWORK_ONCE: once };
      console.log(site.php(path.join(import.meta.dirname, 'in-shop.php'), [], product).trim());
      await driveShop(site, keys, command);
    });
  }
}
