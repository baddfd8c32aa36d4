import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lightningAddress, lightningMetadata, publicUrlFault } from './lightning-address.ts';

test('a Lightning address is id and host, asked for at the root of the host (LUD-16)', () => {
  const { address, destination } = lightningAddress('https://pay.example', 'abcdefghijkl');
  assert.equal(address, 'abcdefghijkl@pay.example');
  assert.equal(destination, 'https://pay.example/.well-known/lnurlp/abcdefghijkl');
  const onion = lightningAddress('http://shop.onion:8080', 'abcdefghijkl');
  assert.equal(onion.address, 'abcdefghijkl@shop.onion:8080');
});

test('live addresses need https, or http on an onion service (LUD-16); test ones nothing', () => {
  assert.equal(publicUrlFault('https://pay.example', 'live'), undefined);
  assert.equal(publicUrlFault('http://shop.onion', 'live'), undefined);
  assert.equal(publicUrlFault('http://localhost:8080', 'test'), undefined);
  assert.match(publicUrlFault('http://pay.example', 'live') ?? '', /https/);
  assert.match(publicUrlFault('http://onion.example', 'live') ?? '', /https/);
});

test('the metadata holds the name of the shop and the identifier, whatever the name', () => {
  const parsed: unknown = JSON.parse(lightningMetadata('a@pay.example', 'Ada "Books" \n & Söhne'));
  assert.deepEqual(parsed, [
    ['text/plain', 'Payment to Ada "Books" \n & Söhne'],
    ['text/identifier', 'a@pay.example'],
  ]);
});
