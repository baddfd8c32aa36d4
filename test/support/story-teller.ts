import { test } from 'node:test';
import type { Shop } from './shop.ts';

export type Story = (name: string, act: () => Promise<void>) => void;

/** Tells a story as a test, after which the books are checked. The shop may be opened later. */
export function storyTeller(shopNow: () => Pick<Shop, 'checkBooks'>): Story {
  return (name, act) =>
    void test(name, async () => {
      await act();
      await shopNow().checkBooks();
    });
}
