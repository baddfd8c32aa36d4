import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { acceptedCoding, compressAnswer } from './compress-answer.ts';

const CODINGS: readonly (readonly [accepted: string, coding: 'br' | 'gzip' | undefined])[] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0.001', 'gzip'],
  ['br; q=0.0 , gzip ; q=0', undefined],
  ['*', 'br'],
  ['*;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['identity', undefined],
  ['deflate', undefined],
  ['', undefined],
  ['gzipped, brotli', undefined],
];

test('what is accepted, by RFC 9110', () => {
  for (const [accepted, coding] of CODINGS)
    assert.equal(acceptedCoding(accepted), coding, accepted);
});

const text = '<p>A notebook, dot grid, and ink of moss, 12 €</p>\n'.repeat(60);

function answer(type: string, body: string = text, cacheControl = 'no-store'): Response {
  return new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': cacheControl } });
}

const asking = (accepted: string, path = '/page') =>
  new Request(`http://localhost${path}`, { headers: { 'Accept-Encoding': accepted } });

test('a page is the same page, smaller', async () => {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const coding of ['br', 'gzip'] as const) {
    const sent = await compressAnswer(asking(coding), answer('text/html; charset=utf-8'));
    assert.equal(sent.headers.get('content-encoding'), coding);
    assert.equal(sent.headers.get('vary'), 'Accept-Encoding');
    assert.equal(sent.headers.get('cache-control'), 'no-store');
    const body = new Uint8Array(await sent.arrayBuffer());
    assert.ok(body.length < text.length / 5);
    assert.equal(decoders[coding](body).toString(), text);
  }
});

test('a file kept for ever is compressed once, and each file is its own', async () => {
  const forEver = 'public, max-age=31536000, immutable';
  const ask = async (path: string, body: string) => {
    const file = answer('text/css', body, forEver);
    const sent = await compressAnswer(asking('br', path), file);
    return brotliDecompressSync(new Uint8Array(await sent.arrayBuffer())).toString();
  };
  assert.equal(await ask('/assets/one.css', text), text);
  assert.equal(await ask('/assets/two.css', `${text}!`), `${text}!`);
  assert.equal(
    await ask('/assets/one.css', 'another text'.repeat(99)),
    text,
    'it is not done again',
  );
});

test('nothing else is touched: events, pictures, small and unwilling', async () => {
  for (const type of ['text/event-stream', 'image/png', 'application/pdf', 'application/json']) {
    const one = answer(type);
    assert.equal(await compressAnswer(asking('br'), one), one, type);
  }
  for (const [accepted, body] of [
    ['br', 'short'],
    ['identity', text],
  ] as const) {
    const sent = await compressAnswer(asking(accepted), answer('text/html', body));
    assert.equal(sent.headers.get('content-encoding'), null);
    assert.equal(sent.headers.get('vary'), 'Accept-Encoding');
    assert.equal(await sent.text(), body);
  }
});

test('a redirect without a body stays one', async () => {
  const away = new Response(null, { status: 303, headers: { Location: '/elsewhere' } });
  assert.equal(await compressAnswer(asking('br'), away), away);
});
