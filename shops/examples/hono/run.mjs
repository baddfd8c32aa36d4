import { installNodeShop } from '../prepare.mjs';

export default {
  prepare: installNodeShop,
  start: ({ node }) => ({ program: node, words: ['shop.ts'] }),
};
