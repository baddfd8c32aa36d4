import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES } from '#test/support/checkout-pages.ts';
import { sandboxPanel } from './sandbox-panel.ts';

const actsOf = (name: string) => {
  const { markup = '' } = sandboxPanel(PAGES[name]!({ hasSandbox: true })) ?? {};
  return [...markup.matchAll(/value="([a-z]+)"/g)].map(([, act]) => act);
};

const ACTS: Readonly<Record<string, readonly string[]>> = {
  choose: [],
  pay: ['exact', 'under', 'over', 'parts', 'late', 'mine', 'expire'],
  'wrong-asset': ['exact', 'under', 'over', 'parts', 'late', 'other', 'mine', 'reorg', 'expire'],
  seen: ['mine', 'reorg'],
  'seen-short': ['rest', 'mine', 'reorg'],
  partial: ['rest', 'mine', 'reorg'],
  'partial-late': ['mine', 'reorg'],
  paid: ['mine', 'reorg'],
  expired: ['late', 'mine'],
  cancelled: ['late', 'mine'],
  reversed: ['mine'],
};

for (const [name, acts] of Object.entries(ACTS)) {
  test(`the sandbox wallet offers what makes sense: ${name}`, () => {
    assert.deepEqual(actsOf(name), acts);
  });
}
