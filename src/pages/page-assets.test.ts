import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STYLESHEET } from './page-assets.ts';

test('the stylesheet knows start and end, not left and right: it serves both directions', () => {
  const rules = STYLESHEET.body.replace(/\/\*[\s\S]*?\*\//g, '');
  const physical = /(?:^|[\s;{])(?:margin-|padding-|border-)?(?:left|right)\s*:/gm;
  assert.deepEqual(rules.match(physical) ?? [], []);
  assert.doesNotMatch(rules, /(?:text-align|float|clear)\s*:\s*(?:left|right)/);
});
