import type { Shop } from '#test/support/shop.ts';

const AT_ONCE = 8;
const NETWORKS = ['LITECOIN', 'BITCOIN'] as const;

/** Blocks as often as payments ask for them, and no more: an empty one is no checkout's. */
export async function sellBatch(shop: Shop, count: number): Promise<void> {
  const { client } = shop;
  let left = count;
  const ids: string[] = [];
  const sell = async () => {
    while (left > 0) {
      left -= 1;
      const network = NETWORKS[left % NETWORKS.length] ?? 'LITECOIN';
      const { checkoutId } = await shop.open({ currency: 'EUR', amount: '19.90' }, network);
      await client.post('/sandbox/pay', { checkoutId });
      ids.push(checkoutId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sell));
  for (const network of NETWORKS) await client.post('/sandbox/mine', { network, blocks: 4 });
  for (const id of ids) await client.waitForState(id, 'COMPLETED');
}
