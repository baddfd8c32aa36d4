import { adminToken, playShopAndRefund } from '../play-refund.mjs';
import { installNodeShop } from '../prepare.mjs';

export default {
  prepare: installNodeShop,
  start: ({ node }) => ({
    program: node,
    words: ['shop.mjs'],
    env: { SHOP_ADMIN_TOKEN: adminToken },
  }),
  play: playShopAndRefund,
};
