import { adminToken, playShopAndRefund } from '../play-refund.mjs';
import { installPythonShop, lacking } from '../prepare.mjs';

export default {
  missing: () => lacking('python3'),
  prepare: installPythonShop,
  start: () => ({
    program: 'venv/bin/python',
    words: ['shop.py'],
    env: { SHOP_ADMIN_TOKEN: adminToken },
  }),
  play: playShopAndRefund,
};
