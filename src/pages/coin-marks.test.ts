import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAssets } from '#catalog/asset.ts';
import { listNetworks } from '#catalog/network.ts';
import { findIconSvg } from './asset-routes.ts';
import { markSvg } from './coin-marks.ts';

const NAMES = [
  ...listNetworks().map(({ id }) => id),
  ...listAssets().flatMap(({ assetCode, assetIssuer }) =>
    assetIssuer === 'FIAT' ? [] : assetCode,
  ),
];

test('every network and every coin has its mark, drawn in less than a kilobyte', () => {
  for (const name of NAMES) {
    const mark = markSvg(name);
    assert.ok(mark !== undefined && mark.length < 1_000, name);
    assert.doesNotMatch(mark, /<text|<image|href|script/, name);
  }
  assert.equal(findIconSvg('/images/assets/xrp.svg'), markSvg('XRP'));
  assert.equal(markSvg('EUR'), undefined);
});

/** Cards of the pages, light and dark. */
const GROUNDS = ['#ffffff', '#1c2226'];

test('each can be seen on light and on dark: a part of it stands out from the ground', () => {
  for (const name of NAMES) {
    const colors = [...(markSvg(name) ?? '').matchAll(/#[0-9a-f]{3,6}/g)].map(([color]) => color);
    for (const ground of GROUNDS) {
      const best = Math.max(...colors.map((color) => contrast(color, ground)));
      assert.ok(best >= 2, `${name} on ${ground}: ${best}`);
    }
  }
});

/** WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const long = color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(long.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
