// A receipt is checked by its code: what the books say of it, and nothing for whoever guesses.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Hono } from 'hono';
import { LANGUAGES } from '#catalog/language.ts';
import { pageToken } from '#checkout/page-token.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { findSeller } from '#merchant/seller.ts';
import { signPlace } from '#pages/checkout/signed-address.ts';
import { createPages } from '#pages/create-pages.ts';
import { verifyTexts } from '#pages/languages/verify-texts.ts';
import { createRefund } from '#refund/create-refund.ts';
import { PAGES, type PageOptions } from '#test/support/checkout-pages.ts';
import { PAYER_ADDRESS, payCheckout, sendTransfers } from '#test/support/outgoing-money.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { readReceiptCode, receiptCode } from './receipt-code.ts';
import { decideVerdict } from './verify-page.ts';
import { writeReceipt } from './write-receipt.ts';

let world: TestApp;
let pages: Hono;
let address = '192.0.2.1';
let reads = 0;
before(async () => {
  world = await openTestApp();
  const { app } = world;
  await world.observe('LITECOIN');
  pages = createPages({
    ...app,
    findSeller: (merchantId) => {
      reads += 1;
      return findSeller(app.db, merchantId);
    },
    clientAddressOf: () => address,
    demo: undefined,
  });
});
after(() => world.close());

const charge = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'A secret gift', netAmount: '10.01' }],
};

let asked = 0;

async function check(code: string, language = 'en') {
  asked += 1;
  address = `198.51.100.${asked % 250}`;
  const answer = await pages.request(`/verify?${new URLSearchParams({ code, language })}`);
  return { status: answer.status, markup: await answer.text(), headers: answer.headers };
}

async function newCheckout(request: object = { charge }) {
  const id = await world.create(request);
  const receipt = `/en/checkout/${pageToken(world.app.keyring, id)}/receipt`;
  return { id, receipt, code: receiptCode(world.app.keyring, id) };
}

async function read(path: string): Promise<string> {
  const answer = await pages.request(path);
  assert.equal(answer.status, 200, path);
  return answer.text();
}

test('a receipt and its PDF hold a code, whose address says who issued it, how much and when', async () => {
  const { id, receipt, code } = await newCheckout();
  await payCheckout(world, id);
  const paper = await read(receipt);
  assert.match(code, /^([a-z0-9]{4}-){6}[a-z0-9]{4}$/);
  assert.ok(paper.includes(`<code>${code}</code>`));
  const [, url = ''] = /href="(http[^"]+\/verify\?code=[^"]+)"/.exec(paper) ?? [];
  assert.equal(url, `${world.app.publicUrl}/verify?code=${code}`);
  const pdf = readPdf(await (await pages.request(`${receipt}.pdf`)).bytes());
  assert.ok(pdf.text.includes(code));
  const { status, markup, headers } = await check(code);
  assert.equal(status, 200);
  for (const part of ['data-standing="paid"', 'This is paid', 'Test shop', '€10.01', '2026']) {
    assert.ok(markup.includes(part), part);
  }
  assert.match(markup, /Test mode/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
});

test('nothing of the buyer, of what was bought or of the payment is told', async () => {
  const { id, code } = await newCheckout();
  await payCheckout(world, id);
  const { markup } = await check(code);
  const [payment] = (await world.read(id)).receipts;
  const told = [id, 'secret gift', payment?.transaction ?? '', pageToken(world.app.keyring, id)];
  // The code itself begins with the id, in groups.
  for (const secret of told) assert.ok(!markup.includes(secret), secret);
});

test('what is typed from paper is read: other case, other groups, signs that look alike', () => {
  const { keyring } = world.app;
  const code = receiptCode(keyring, 'abcdefgh1l0o');
  assert.equal(readReceiptCode(keyring, ` ${code.toUpperCase()} `)?.id, 'abcdefgh1l0o');
  assert.equal(readReceiptCode(keyring, code.replaceAll('-', ' '))?.id, 'abcdefgh1l0o');
  const [id, seal] = [code.slice(0, 15), code.slice(15)];
  const alike = seal.replaceAll('0', 'O').replaceAll('1', 'I');
  assert.equal(readReceiptCode(keyring, id + alike)?.id, 'abcdefgh1l0o');
});

test('a code with any other sign in it, or for another checkout, is of no receipt', async () => {
  const { code } = await newCheckout();
  const other = await newCheckout();
  const { keyring } = world.app;
  for (let index = 0; index < code.length; index += 1) {
    if (code[index] === '-') continue;
    const sign = code[index] === '7' ? '8' : '7';
    const changed = code.slice(0, index) + sign + code.slice(index + 1);
    assert.equal(readReceiptCode(keyring, changed), undefined, changed);
  }
  const mixed = other.code.slice(0, 15) + code.slice(15);
  assert.equal(readReceiptCode(keyring, mixed), undefined);
  for (const wrong of ['', 'x', code.slice(1), `${code}a`, 'ü'.repeat(28), '-'.repeat(28)]) {
    assert.equal(readReceiptCode(keyring, wrong), undefined, wrong);
  }
});

test('whoever guesses learns nothing: one answer for a checkout that exists and for none', async () => {
  const { id, code } = await newCheckout();
  const wrong = (of: string) =>
    of.slice(0, 15) + code.slice(15).replace(/^./, (one) => (one === 'a' ? 'b' : 'a'));
  const none = receiptCode({ mac: () => new Uint8Array(32) }, 'nosuchorder0');
  const before = reads;
  const answers = [await check(wrong(code)), await check(none), await check(id), await check('?')];
  assert.equal(reads, before, 'nothing was read');
  const plain = (markup: string) =>
    markup.replaceAll(/nonce="[^"]*"|value="[^"]*"|code=[^"&]*/g, '');
  for (const { status, markup } of answers) {
    assert.equal(status, 404);
    assert.equal(plain(markup), plain(answers[0]?.markup ?? ''));
    assert.match(markup, /role="alert" id="fault">No receipt and no invoice of ours has this code/);
  }
});

test('one address tries so many codes in a minute, and is then told to wait', async () => {
  const { code } = await newCheckout();
  address = '203.0.113.7';
  const ask = () => pages.request(`/verify?code=${code}`);
  for (let index = 0; index < 20; index += 1) assert.equal((await ask()).status, 200);
  const refused = await ask();
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.doesNotMatch(await refused.text(), /Test shop/);
  address = '203.0.113.8';
  assert.equal((await ask()).status, 200);
});

test('a hostile code stays text, in every language, and the form goes to this page alone', async () => {
  const { id, code } = await newCheckout();
  await payCheckout(world, id);
  const { markup } = await check('"><script>alert(1)</script>');
  assert.equal(markup.match(/<script/g)?.length, 1);
  assert.ok(markup.includes('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"'));
  for (const { languageCode } of LANGUAGES) {
    const { markup: shown } = await check(code, languageCode);
    const texts = verifyTexts(languageCode);
    assert.ok(shown.includes(`<html lang="${languageCode}"`));
    assert.ok(shown.includes(texts.states.paid) && shown.includes(texts.compare), languageCode);
    assert.ok(shown.includes('<form method="get" action="/verify"'));
  }
});

test('what was given back, and what was paid in part, is said', async () => {
  const { app, caller } = world;
  const { id, code } = await newCheckout();
  assert.match((await check(code)).markup, /data-standing="open"/);
  await payCheckout(world, id, 50n);
  assert.match((await check(code)).markup, /data-standing="partial"/);
  await payCheckout(world, id, 50n);
  assert.match((await check(code)).markup, /data-standing="paid"/);
  const way = { amount: undefined, network: undefined, asset: undefined };
  const refund = { checkoutId: id, kind: 'full', address: PAYER_ADDRESS, ...way } as const;
  await createRefund(app, caller, refund);
  assert.match((await check(code)).markup, /data-standing="paid"/, 'it has not arrived yet');
  await sendTransfers(world);
  const { markup } = await check(code);
  assert.match(markup, /data-standing="refunded"/);
  assert.match(markup, /the money was given back/);
});

const VERDICTS: readonly (readonly [sample: string, standing: string])[] = [
  ['pay', 'open'],
  ['partial', 'partial'],
  ['paid', 'paid'],
];

for (const [sample, standing] of VERDICTS) {
  test(`the sample ${sample} stands as ${standing}`, () => {
    const make = PAGES[sample];
    assert.ok(make !== undefined, sample);
    assert.equal(decideVerdict(make()).standing, standing);
  });
}

test('what the network took back is no receipt any more', () => {
  const page = PAGES.paid!();
  const taken = { ...page, state: { kind: 'trouble', cause: 'taken-back' } as typeof page.state };
  assert.equal(decideVerdict(taken).standing, 'reversed');
});

test('under the domain of a shop there are the receipts of that shop alone', async () => {
  const { app, caller } = world;
  const { id, code } = await newCheckout();
  await payCheckout(world, id);
  const other = await createMerchant(app, { name: 'Other shop' });
  const under = (merchantId: string) =>
    pages.request(`/verify?code=${code}`, {}, { domain: { host: 'pay.example', merchantId } });
  address = '203.0.113.9';
  const own = await under(caller.merchantId);
  assert.equal(own.status, 200);
  assert.match(await own.text(), /data-standing="paid"/);
  const foreign = await under(other.id);
  assert.equal(foreign.status, 404);
  assert.doesNotMatch(await foreign.text(), /Test shop/);
});

test('what payments are worth in the currency of the bill adds up to it, to the cent', async () => {
  const { id, receipt } = await newCheckout();
  for (const percent of [33n, 33n, 34n]) await payCheckout(world, id, percent);
  const worths = [...(await read(receipt)).matchAll(/Amount paid<\/dt><dd>€([\d.]+)/g)];
  const cents = worths.map(([, amount]) => Math.round(Number(amount) * 100));
  assert.equal(cents.length, 3);
  const sum = cents.reduce((one, other) => one + other, 0);
  // Percentages of units round down, so that the last unit may be missing or not.
  assert.ok(sum === 1001 || sum === 1000, String(cents));
});

function live(options: PageOptions = {}) {
  const page = PAGES.paid!(options);
  const receipts = page.record.receipts.map((receipt) => ({
    ...receipt,
    chain: 'live:LITECOIN' as const,
  }));
  return { ...page, record: { ...page.record, environment: 'live' as const, receipts } };
}

test('a payment on a live network leads to its explorer, one of a test network nowhere', () => {
  const rows = (page: ReturnType<typeof live>) =>
    writeReceipt(page)?.sections.flatMap((section) => section.rows) ?? [];
  const links = (page: ReturnType<typeof live>) => rows(page).flatMap(({ href }) => href ?? []);
  const page = live();
  const [payment] = page.record.receipts;
  const transaction = payment?.transaction ?? 'none';
  assert.deepEqual(links(page), [`https://litecoinspace.org/tx/${transaction}`]);
  assert.deepEqual(links(PAGES.paid!() as ReturnType<typeof live>), []);
  const silent = { ...page, settings: { ...page.settings, explorerLinks: false } };
  assert.deepEqual(links(silent), []);
  assert.deepEqual(links({ ...page, explorers: new Map() }), []);
});

test('every text is in every language', () => {
  const flat = (code: (typeof LANGUAGES)[number]['languageCode']) => {
    const { states, ...rest } = verifyTexts(code);
    return [...Object.values(rest), ...Object.values(states)];
  };
  for (const { languageCode } of LANGUAGES.filter((one) => one.languageCode !== 'en')) {
    const texts = flat(languageCode);
    for (const [index, text] of flat('en').entries()) assert.notEqual(texts[index], text);
    for (const text of texts) assert.doesNotMatch(text, /['"`]| {2}/, text);
  }
});

test('the address on a page to pay from leads to a page that knows it, and knows no other', async () => {
  const { id } = await newCheckout();
  const path = `/en/checkout/${pageToken(world.app.keyring, id)}`;
  const method = 'LITECOIN LTC:NATIVE';
  const origin = world.app.publicUrl;
  const chosen = await pages.request(`${path}/choose`, {
    method: 'POST',
    body: new URLSearchParams({ method }),
    headers: { origin, 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(chosen.status, 303);
  const page = await read(path);
  const [, href = ''] = /id="verify-address" href="([^"]+)"/.exec(page) ?? [];
  const link = new URL(href.replaceAll('&amp;', '&'), origin);
  const [, address = ''] = /id="address" data-value="([^"]+)"/.exec(page) ?? [];
  assert.equal(link.searchParams.get('address'), address);
  const shown = await read(`${link.pathname}${link.search}`);
  assert.match(shown, /data-ours="true"/);
  assert.ok(shown.includes(address.slice(0, 4)) && shown.includes('Litecoin'));
  link.searchParams.set('format', 'json');
  const answer = await (await pages.request(`${link.pathname}${link.search}`)).json();
  assert.deepEqual(answer, {
    isOurs: true,
    network: 'LITECOIN',
    address,
    memo: '',
    publicKey: Buffer.from(world.app.keyring.publicKey).toString('base64url'),
  });
  link.searchParams.delete('format');
  link.searchParams.set('address', `${address.slice(0, -1)}x`);
  const foreign = await read(`${link.pathname}${link.search}`);
  assert.match(foreign, /data-ours="false"/);
  assert.ok(!foreign.includes(address.slice(0, -1)), 'nobody copies it from here');
});

test('whoever has only the link pastes it whole; an address alone proves nothing', async () => {
  const place = { network: 'LITECOIN', address: 'tltc1qexample', memo: '' };
  const signature = signPlace(world.app.keyring, place);
  const form = await read('/verify/address');
  assert.match(form, /<form method="get" action="\/verify\/address"/);
  assert.doesNotMatch(form, /data-ours/);
  const ask = (query: Record<string, string>) =>
    read(`/verify/address?${new URLSearchParams({ network: 'BITCOIN', ...query })}`);
  const link = `https://pay.example/verify/address?${new URLSearchParams({ ...place, signature })}`;
  const whole = await ask({ address: ` ${link}\n`, memo: '', signature: '' });
  assert.match(whole, /data-ours="true"/);
  assert.match(whole, /Pay only where the address bar of your browser shows localhost:8080/);
  assert.match(await ask({ ...place, signature }), /data-ours="true"/);
  assert.match(await ask({ ...place }), /data-ours="false"/);
  const elsewhere = await ask({ address: link.replace('/verify/address', '/verify/other') });
  assert.match(elsewhere, /data-ours="false"/);
});

test('the commands of the manual check a signature without us, and refuse a changed sign', async () => {
  const manual = await readFile(
    new URL('../docs/manual/check-an-address.md', import.meta.url),
    'utf8',
  );
  const [, script = ''] = /```text\n(PUBLIC_KEY[\s\S]*?)```/.exec(manual) ?? [];
  const place = { network: 'STELLAR', address: 'GA7QYNF7SOWQ3GLR2BGM', memo: '4821907715' };
  const run = async (address: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'verify-address-'));
    const values = {
      PUBLIC_KEY: Buffer.from(world.app.keyring.publicKey).toString('base64url'),
      ...{ NETWORK: place.network, ADDRESS: address, MEMO: place.memo },
      SIGNATURE: signPlace(world.app.keyring, place),
    };
    const typed = script.replaceAll(
      /^([A-Z_]+)=.*$/gm,
      (line, name: keyof typeof values) => `${name}=${values[name] ?? line}`,
    );
    const said = spawnSync('sh', ['-c', typed], { cwd: folder, encoding: 'utf8' });
    await rm(folder, { recursive: true });
    return said;
  };
  const right = await run(place.address);
  assert.match(right.stdout, /Signature Verified Successfully/, right.stderr);
  assert.equal(right.status, 0);
  assert.notEqual((await run(`${place.address.slice(0, -1)}X`)).status, 0);
});
