import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCRIPT, STYLESHEET } from './page-assets.ts';

test('the stylesheet knows start and end, not left and right: it serves both directions', () => {
  const rules = STYLESHEET.body.replace(/\/\*[\s\S]*?\*\//g, '');
  const physical = /(?:^|[\s;{])(?:margin-|padding-|border-)?(?:left|right)\s*:/gm;
  assert.deepEqual(rules.match(physical) ?? [], []);
  assert.doesNotMatch(rules, /(?:text-align|float|clear)\s*:\s*(?:left|right)/);
});

test('light and dark differ in colours alone: what fits in the one fits in the other', () => {
  const modes =
    STYLESHEET.body.match(/^@media (?:screen and )?\(prefers-color-scheme[^{]*\{[\s\S]*?^\}/gm) ??
    [];
  assert.equal(modes.length, STYLESHEET.body.split('prefers-color-scheme').length - 1);
  for (const mode of modes) {
    const left = mode.replaceAll(
      /(?:--[a-z0-9-]+|background): (?:#[0-9a-f]{3,6}|var\(--[a-z-]+\)|none);/g,
      '',
    );
    const rules =
      /^@media (?:screen and )?\(prefers-color-scheme: dark\) \{(?:\s*[a-z.:-]+ \{\s*\})+\s*\}$/;
    assert.match(left, rules);
  }
  assert.doesNotMatch(SCRIPT.body, /color-scheme/);
});
