import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listAssets } from '#catalog/asset.ts';
import { listNetworks } from '#catalog/network.ts';
import { findIconSvg, iconSvg } from './asset-routes.ts';

describe('icons', () => {
  test('exist at every path the catalogue names, and at no path that leaves the folder', () => {
    const named = new Set([
      ...listNetworks().map(({ imageSrc }) => imageSrc),
      ...listAssets().flatMap(({ imageSrc, groupImageSrc }) => [imageSrc, groupImageSrc]),
    ]);
    for (const path of named) assert.match(findIconSvg(path) ?? '', /^<svg .*<\/svg>\n$/s);
    assert.equal(findIconSvg('/images/networks/../secret.svg'), undefined);
  });

  test('draw dark letters on a light disc and light ones on a dark disc', () => {
    assert.match(iconSvg('DAI', '#f5ac37'), /fill="#000000"/);
    assert.match(iconSvg('XRP', '#23292f'), /fill="#ffffff"/);
    assert.throws(() => iconSvg('<b>', '#23292f'));
    assert.throws(() => iconSvg('XRP', 'red"'));
  });
});
