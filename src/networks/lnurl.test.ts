import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { encodeLnurl } from './lnurl.ts';

test('a web address is encoded as in the example of LUD-01', () => {
  const url =
    'https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df';
  const example =
    'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3H' +
    'XQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS';
  assert.equal(encodeLnurl(url), example.toLowerCase());
});

test('whatever its length, a reader finds the same web address again', () => {
  fc.assert(
    fc.property(fc.webUrl(), (url) => {
      const { prefix, words } = bech32.decode(encodeLnurl(url) as `lnurl1${string}`, false);
      assert.equal(prefix, 'lnurl');
      assert.equal(new TextDecoder().decode(bech32.fromWords(words)), url);
    }),
  );
});
