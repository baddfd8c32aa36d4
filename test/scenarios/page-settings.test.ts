// A merchant sets its pages from the command line, beside a running server; customers see it.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

let server: ServerProcess;
let shop: Shop;
let directory: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quittance-logo-'));
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
  await rm(directory, { recursive: true });
});

type Shown = {
  readonly page: Readonly<Record<string, unknown>>;
  readonly logo: { readonly path: string; readonly width: number; readonly height: number } | null;
};

async function run(...words: string[]): Promise<Shown> {
  const { exitCode, json, stderr } = await server.command('merchant', 'page', ...words, '--json');
  assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
  return json as Shown;
}

async function refusal(...words: string[]): Promise<{ code: string; message: string }> {
  const { exitCode, json } = await server.command('merchant', 'page', ...words, '--json');
  assert.notEqual(exitCode, 0);
  return json.error as { code: string; message: string };
}

async function openPage(): Promise<string> {
  const { url } = await shop.client.post<{ url: string }>('/checkout/hosted', {
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Ink', netAmount: '23' }] },
  });
  const { pathname } = new URL(url);
  return (await fetch(server.origin + pathname)).text();
}

async function logoFile(name: string, content: Uint8Array | string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

test('name, colours and contact are set, shown, seen by customers at once, and unset', async () => {
  assert.match(await openPage(), /<header class="top"><span class="brand"><bdi>/);
  const { page } = await run(
    'set',
    '--shop-name=Ink & <b>Paper</b>',
    '--primary-color',
    '#7A1FA2',
    '--embed-origins',
    'https://shop.example,http://localhost:3000',
    '--return-countdown-seconds',
    '0',
  );
  assert.equal(page.primaryColor, '#7a1fa2');
  assert.deepEqual(page.embedOrigins, ['https://shop.example', 'http://localhost:3000']);
  assert.deepEqual((await run('show')).page, page);
  const shown = await openPage();
  assert.match(shown, /<bdi>Ink &amp; &lt;b&gt;Paper&lt;\/b&gt;<\/bdi>/);
  assert.match(shown, /<style nonce="[^"]+">@media screen\{body\{[^<]*--fill:#7a1fa2/);

  const { stdout } = await server.command('merchant', 'page', 'show');
  assert.match(stdout, /^primary-color +#7a1fa2$/m);
  assert.match(stdout, /^contact +- {2}\(default\)$/m);
  const unset = await run('unset', 'shop-name', 'primary-color');
  assert.deepEqual([unset.page.shopName, unset.page.primaryColor], [null, null]);
  assert.doesNotMatch(await openPage(), /<style/);
});

test('a logo is drawn again, served for ever under its hash, and removed', async () => {
  const background = { r: 20, g: 40, b: 120, alpha: 0.6 };
  const picture = sharp({ create: { width: 500, height: 100, channels: 4, background } });
  const file = await logoFile('logo.svg', await picture.png().toBuffer());
  const { logo } = await run('logo', file);
  assert.ok(logo !== null);
  assert.deepEqual([logo.width, logo.height], [200, 40]);
  const shown = await openPage();
  const paths = [...shown.matchAll(/\/brand\/[0-9a-f]{32}\.webp/g)].map(([path]) => path);
  assert.equal(new Set(paths).size, 2);
  assert.ok(paths.includes(logo.path));
  for (const path of paths) {
    const answer = await fetch(server.origin + path);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'image/webp');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
    assert.match(
      answer.headers.get('content-security-policy') ?? '',
      /default-src 'none'; sandbox/,
    );
    const { format } = await sharp(await answer.arrayBuffer()).metadata();
    assert.equal(format, 'webp');
  }
  assert.equal((await run('unset', 'logo')).logo, null);
  assert.doesNotMatch(await openPage(), /\/brand\//);
  assert.equal((await fetch(server.origin + logo.path)).status, 404);
});

test('another logo for dark pages is shown by the device, and removed alone', async () => {
  const picture = (background: string) =>
    sharp({ create: { width: 100, height: 20, channels: 3, background } })
      .png()
      .toBuffer();
  await run('logo', await logoFile('light.png', await picture('#102030')));
  await run('dark-logo', await logoFile('dark.png', await picture('#f0e0d0')));
  const shown = await openPage();
  const [source = ''] = /<source media="screen and [^>]+>/.exec(shown) ?? [];
  const path = /\/brand\/[0-9a-f]{32}\.webp/.exec(source)?.[0] ?? '';
  assert.equal((await fetch(server.origin + path)).status, 200);
  await run('unset', 'dark-logo');
  assert.doesNotMatch(await openPage(), /<source/);
  assert.equal((await fetch(server.origin + path)).status, 404);
  await run('unset', 'logo');
});

test('no other address of that kind answers, whatever is asked for', async () => {
  for (const name of [
    '',
    'x',
    `${'0'.repeat(32)}.webp`,
    `${'0'.repeat(32)}.svg`,
    "'; drop table merchant_logo",
    '%00',
    '..%2f..%2fetc%2fpasswd',
  ]) {
    assert.equal((await fetch(`${server.origin}/brand/${name}`)).status, 404, name);
  }
});

test('a wrong setting or file changes nothing and says what is wrong', async () => {
  const before = await run('show');
  const svg = await logoFile('logo.png', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const cases: readonly (readonly [words: readonly string[], code: string, message: RegExp])[] = [
    [['set'], 'usage', /at least one setting/],
    [
      ['set', '--shop-name', 'Ink', '--primary-color', 'red'],
      'page_settings',
      /^--primary-color: must be a colour/,
    ],
    [['set', '--embed-origins', '*'], 'page_settings', /no wildcard\): \*/],
    [
      ['set', '--shop-name', 'Ink', '--merchant', 'aaaaaaaaaaaa'],
      'merchant_unknown',
      /no merchant/,
    ],
    [['set', '--font', 'Comic'], 'page_settings', /^--font: must be one of system/],
    [['set', '--ink', 'red'], 'usage', /ink/],
    [['set', '--corner-radius', '25'], 'page_settings', /from 0 to 24/],
    [['dark-logo', svg], 'logo', /SVG is not accepted/],
    [['unset'], 'usage', /name a setting/],
    [['unset', 'shop-name', 'colour'], 'usage', /no such setting: colour/],
    [['logo'], 'usage', /the file is missing/],
    [['logo', svg], 'logo', /SVG is not accepted/],
    [['logo', join(directory, 'nothing.png')], 'logo', /cannot be read: ENOENT/],
    [['logo', directory], 'logo', /cannot be read: EISDIR/],
    [['logo', '/dev/zero'], 'logo', /at most 2 MiB/],
  ];
  for (const [words, code, message] of cases) {
    const error = await refusal(...words);
    assert.equal(error.code, code, words.join(' '));
    assert.match(error.message, message);
  }
  assert.deepEqual(await run('show'), before);
});
