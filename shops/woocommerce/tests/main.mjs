// What npm run test:woocommerce runs over a fresh service: see scripts/test-woocommerce.mjs.
import path from 'node:path';
import { driveShop } from './drive.mjs';
import { withSite } from './site.mjs';

/** `paths`: as of withSite. */
export async function testShop(paths, env) {
  for (const hpos of ['yes', 'no']) {
    await withSite(paths, { ...env, SHOP_HPOS: hpos }, async (site) => {
      const { wordpress, woocommerce } = site;
      const where = hpos === 'yes' ? 'tables of their own' : 'the table of posts';
      console.log(`\nWordPress ${wordpress}, WooCommerce ${woocommerce}, orders in ${where}`);
      const product = { SHOP_PRODUCT: `${site.product}` };
      console.log(site.php(path.join(import.meta.dirname, 'in-shop.php'), [], product).trim());
      await driveShop(site, env);
    });
  }
}
