import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { acceptedCoding, compressAnswer, robotsTag } from './finish-answer.ts';

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

const CRAWLERS = [
  '',
  'curl/8.5.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/125.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36 (compatible; Google-InspectionTool/1.0;)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/125.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)',
  'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0',
];
const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36 Edg/125.0.0.0',
  'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0',
];

test('whatever may be a search engine is told to keep nothing', () => {
  for (const name of CRAWLERS) assert.match(robotsTag(name) ?? '', /^noindex/, name);
});

test('the browser of a person is told nothing of it', () => {
  for (const name of BROWSERS) assert.equal(robotsTag(name), undefined, name);
});
