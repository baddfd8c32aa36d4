// A refund claimed as a browser without JavaScript does it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createBase58check } from '@scure/base';
import fc from 'fast-check';
import type { Hono } from 'hono';
import { chainOf, ENVIRONMENTS } from '#catalog/chain.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { getNetwork, networkIds } from '#catalog/network.ts';
import { findSeller } from '#merchant/seller.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { UTXO_CHAINS } from '#networks/utxo/utxo-chain.ts';
import { createPages } from '#pages/create-pages.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { createRefund } from '#refund/create-refund.ts';
import { claimToken } from '#refund/refund.ts';
import { refundAccount } from '#refund/refund-account.ts';
import { PAYER_ADDRESS, payCheckout, sendTransfers } from '#test/support/outgoing-money.ts';
import { refundPageOf } from '#test/support/sample-papers.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { addressForms, addressHints } from './refund-page.ts';

let world: TestApp;
let pages: Hono;
let path: string;
/** What the network takes, where it is not what the simulation says. */
let feeUnits: bigint | undefined;
before(async () => {
  world = await openTestApp();
  const { app, caller } = world;
  const chain = chainOf('test', 'LITECOIN');
  const executor = app.executors.get(chain);
  assert(executor !== undefined);
  const networkFeeUnits = (assetId: string, units: bigint) =>
    feeUnits ?? executor.networkFeeUnits(assetId, units);
  pages = createPages({
    ...app,
    executors: new Map([...app.executors, [chain, { ...executor, networkFeeUnits }]]),
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    demo: undefined,
  });
  await world.observe('LITECOIN');
  await payCheckout(world, await world.create());
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const nothing = { amount: undefined, address: undefined, network: undefined, asset: undefined };
  const { id } = await createRefund(app, caller, { checkoutId, kind: 'full', ...nothing });
  path = `/en/refund/${claimToken(app.keyring, id)}`;
});
after(() => world.close());

const origin = 'http://localhost:8080';

async function get(address: string): Promise<Response> {
  return pages.fetch(new Request(origin + address));
}

async function claim(
  address: string,
  site = 'same-origin',
  more: Record<string, string> = { step: 'send' },
): Promise<Response> {
  const body = new URLSearchParams({ address, ...more });
  const headers = { 'sec-fetch-site': site };
  return pages.fetch(new Request(origin + path, { method: 'POST', body, headers }));
}

test('a link that nobody was given shows nothing', async () => {
  assert.equal((await get(`/en/refund/${'A'.repeat(32)}`)).status, 404);
  assert.equal((await get(path.replace('/en/', '/xx/'))).status, 404);
});

test('the page can be read in every language, and the way there keeps the token', async () => {
  const markup = await (await get(path)).text();
  for (const { languageCode, name } of LANGUAGES) {
    const address = path.replace('/en/', `/${languageCode}/`);
    assert.ok(markup.includes(`href="${address}"`), languageCode);
    const answer = await get(address);
    assert.equal(answer.headers.get('content-language'), languageCode);
    const text = await answer.text();
    assert.ok(text.includes(name));
    if (languageCode !== 'en') assert.doesNotMatch(text, /The shop|Your Litecoin address|Send it/);
  }
});

test('the shop has the name that its checkout has', async () => {
  const brandOf = (markup: string) => /class="brand"><bdi>([^<]*)/.exec(markup)?.[1];
  assert.equal(brandOf(await (await get(path)).text()), 'Test shop');
  const { app, caller } = world;
  const checkoutId = await world.create({ pageSettings: { shopName: 'Ink & Paper' } });
  await payCheckout(world, checkoutId);
  const nothing = { amount: undefined, address: undefined, network: undefined, asset: undefined };
  const { id } = await createRefund(app, caller, { checkoutId, kind: 'full', ...nothing });
  const page = await get(`/en/refund/${claimToken(app.keyring, id)}`);
  assert.equal(brandOf(await page.text()), 'Ink &amp; Paper');
});

test('the page leads back to the shop by whichever address the checkout has', async () => {
  const backOf = async (addresses: object) => {
    const { app, caller } = world;
    const checkoutId = await world.create({ pageSettings: addresses });
    await payCheckout(world, checkoutId);
    const nothing = { amount: undefined, address: undefined, network: undefined, asset: undefined };
    const { id } = await createRefund(app, caller, { checkoutId, kind: 'full', ...nothing });
    const page = await get(`/en/refund/${claimToken(app.keyring, id)}`);
    return /id="shop" href="([^?"]*)/.exec(await page.text())?.[1];
  };
  const [returnUrl, cancelUrl] = ['https://shop.example/thanks', 'https://shop.example/basket'];
  assert.equal(await backOf({ returnUrl, cancelUrl }), returnUrl);
  assert.equal(await backOf({ cancelUrl }), cancelUrl);
  assert.equal(await backOf({}), undefined);
});

test('a refund that its receiver has to fetch names the balance and the day until when', () => {
  const way = ['STELLAR', 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'] as const;
  const id = `00000000${'c5'.repeat(32)}`;
  const claimable = { id, reclaimableAt: '2031-04-01T12:00:00Z' };
  for (const { languageCode: language } of LANGUAGES) {
    for (const state of ['UNDER_WAY', 'COMPLETED'] as const) {
      const { markup } = refundPageOf({ language, way, state, claimable }).body;
      const { refund: texts } = pageLanguage(language).texts;
      assert.ok(markup.includes(`id="balance">${id}<`), language);
      assert.ok(markup.includes(texts.toClaim('USDC').replaceAll("'", '&#39;')), language);
      assert.ok(markup.includes('2031'), language);
      assert.ok(!markup.includes(texts.completed), language);
    }
  }
  const kept = { ...claimable, reclaimableAt: null };
  const { markup } = refundPageOf({ way, state: 'COMPLETED', claimable: kept }).body;
  assert.ok(markup.includes(id) && !markup.includes('2031'));
});

test('another site cannot post the form', async () => {
  assert.equal((await claim(PAYER_ADDRESS, 'cross-site')).status, 403);
});

test('what is no address is shown again with the reason, as text', async () => {
  const refused = await claim('"><script>alert(1)</script>');
  assert.equal(refused.status, 400);
  const markup = await refused.text();
  assert.match(markup, /role="alert"[^>]*>This is not an address of this network/);
  assert.ok(!markup.includes('<script>alert'));
});

test('the first click sends nothing: it shows everything once more, with the address in groups', async () => {
  const steps: readonly Record<string, string>[] = [{ step: 'review' }, {}];
  for (const more of steps) {
    const answer = await claim(PAYER_ADDRESS, 'same-origin', more);
    assert.equal(answer.status, 200);
    const review = await answer.text();
    assert.match(review, /id="review"[\s\S]*Amount[\s\S]*LTC[\s\S]*Open until[\s\S]*UTC/);
    assert.match(review, /<span class="fours"><b>.{4}<\/b>/);
    assert.match(review, /name="step" value="send"/);
    assert.match(await (await get(path)).text(), /name="step" value="review"/);
  }
  const edited = await (await claim(PAYER_ADDRESS, 'same-origin', { step: 'edit' })).text();
  assert.ok(edited.includes(`value="${PAYER_ADDRESS}"`) && edited.includes('value="review"'));
  const typo = await claim('nowhere', 'same-origin', {});
  assert.equal(typo.status, 400);
});

test('exchanges get the tag or memo that they ask for', () => {
  const fields = (network: string, asset: string) =>
    refundPageOf({ way: [network, asset] }).body.markup.match(/name="(?:memo|memoType)"/g) ?? [];
  assert.equal(fields('LITECOIN', 'LTC:NATIVE').length, 0);
  assert.equal(fields('STELLAR', 'XLM:NATIVE').length, 2);
  assert.equal(fields('XRP_LEDGER', 'XRP:NATIVE').length, 1);
  const to = (network: string, address: string, more: object) =>
    refundAccount(world.app, { network, environment: 'test', address, units: 1n, ...more });
  const stellar = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
  const xrp = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  assert.deepEqual(to('STELLAR', stellar, {}), { account: stellar });
  const memo = { memo: '4821907715', memoType: 'id' };
  assert.deepEqual(to('STELLAR', stellar, memo), { account: stellar, ...memo });
  assert.deepEqual(to('XRP_LEDGER', xrp, { memo: '7' }), { account: xrp, destinationTag: '7' });
  assert.throws(() => to('STELLAR', stellar, { memo: 'x', memoType: 'id' }), /memo/);
  for (const tag of ['x', '-1', '4294967296', '1.5']) {
    assert.throws(() => to('XRP_LEDGER', xrp, { memo: tag }), /memo/, tag);
  }
});

test('once claimed, the page shows the memo or tag beside the address, and nothing where none was given', () => {
  const lines = (way: readonly [string, string], account: Record<string, string>) => {
    const { markup } = refundPageOf({
      way,
      state: 'UNDER_WAY',
      address: 'somewhere',
      account,
    }).body;
    return [...markup.matchAll(/<dt>(Memo|Destination tag)<\/dt><dd><code>([^<]*)/g)].map(
      ([, label, value]) => [label, value],
    );
  };
  const stellar = ['STELLAR', 'XLM:NATIVE'] as const;
  const xrp = ['XRP_LEDGER', 'XRP:NATIVE'] as const;
  assert.deepEqual(lines(stellar, { account: 'G', memo: '4821', memoType: 'id' }), [
    ['Memo', '4821 (MEMO_ID)'],
  ]);
  assert.deepEqual(lines(stellar, { account: 'G', memo: 'a<b', memoType: 'text' }), [
    ['Memo', 'a&lt;b (MEMO_TEXT)'],
  ]);
  assert.deepEqual(lines(xrp, { account: 'r', destinationTag: '0' }), [['Destination tag', '0']]);
  assert.deepEqual(lines(stellar, { account: 'G' }), []);
  assert.deepEqual(lines(xrp, { account: 'r' }), []);
});

test('the payer says where it goes, once, and sees it arrive', async () => {
  const asked = await (await get(path)).text();
  assert.match(asked, /Refund of 0\.\d+\sLTC/);
  assert.match(asked, /Your Litecoin address/);
  feeUnits = 10n ** 9n;
  const dear = await claim(PAYER_ADDRESS);
  const told = await dear.text();
  assert.match(told, /takes much more for sending right now/);
  assert.match(told, /id="send"/, 'it can be said again');
  assert.match(told, new RegExp(`name="address" value="${PAYER_ADDRESS}"`));
  feeUnits = undefined;
  const claimed = await claim(` ${PAYER_ADDRESS} `);
  assert.equal(claimed.status, 303);
  assert.equal(claimed.headers.get('location'), path);
  assert.equal((await claim(PAYER_ADDRESS)).status, 303);
  const underWay = await (await get(path)).text();
  assert.match(underWay, /on its way/);
  assert.ok(
    underWay.replaceAll(/<[^>]+>/g, '').includes(PAYER_ADDRESS) && !underWay.includes('<form'),
  );
  await sendTransfers(world);
  assert.match(await (await get(path)).text(), /has arrived/);
  assert.match(await (await get(path.replace('/en/', '/de/'))).text(), /ist angekommen/);
});

test('the page says that there is nothing to claim when the network took the payment back', async () => {
  const { app, caller, create, observe, settle } = world;
  const checkoutId = await create();
  await payCheckout(world, checkoutId);
  const nothing = { amount: undefined, address: undefined, network: undefined, asset: undefined };
  const { id } = await createRefund(app, caller, { checkoutId, kind: 'full', ...nothing });
  path = `/en/refund/${claimToken(app.keyring, id)}`;
  assert.match(await (await get(path)).text(), /<form/);
  const chain = chainOf('test', 'LITECOIN');
  await reorgChain(app, { chain, depth: 4, transactions: 'double-spend' });
  await mineBlocks(app, chain, 4);
  await observe('LITECOIN');
  await settle();
  assert.equal((await claim(PAYER_ADDRESS)).status, 303);
  const open = await (await get(path)).text();
  assert.match(open, /took back your payment/);
  assert.doesNotMatch(open, /<form/);
  await sendTransfers(world);
  assert.match(await (await get(path)).text(), /took back your payment/);
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const base58 = createBase58check(sha256);

test('whatever address of Bitcoin or Litecoin is taken begins as the page says, and each form is one', () => {
  const seen = new Set<string>();
  const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
  for (const { assetId, nodeChain, bech32Prefix, ...versions } of UTXO_CHAINS) {
    const network = assetId === 'BTC:NATIVE' ? 'BITCOIN' : 'LITECOIN';
    const environment = nodeChain === 'main' ? 'live' : 'test';
    const forms = addressForms(network, environment);
    const note = (form: string) => seen.add(`${network} ${environment} ${form}`);
    assert(forms.includes(`${bech32Prefix}1`), bech32Prefix);
    note(`${bech32Prefix}1`);
    for (const version of [versions.publicKeyHashVersion, ...versions.scriptHashVersions]) {
      fc.assert(
        fc.property(hash, (bytes) => {
          const address = base58.encode(new Uint8Array([version, ...bytes]));
          const form = forms.find((one) => address.startsWith(one));
          assert(form !== undefined, address);
          note(form);
        }),
      );
    }
  }
  const told = ['BITCOIN', 'LITECOIN'].flatMap((network) =>
    ENVIRONMENTS.flatMap((environment) =>
      addressForms(network, environment).map((form) => `${network} ${environment} ${form}`),
    ),
  );
  assert.deepEqual([...seen].sort(), told.sort());
});

for (const id of networkIds()) {
  const { type, knownBy } = getNetwork(id);
  test(`${id}: whoever claims is told what is asked for, in every language`, () => {
    for (const environment of ENVIRONMENTS) {
      for (const { languageCode } of LANGUAGES) {
        const hints = addressHints(id, environment, pageLanguage(languageCode));
        assert.equal(hints.length, knownBy === 'invoice' ? 0 : type === 'BANK' ? 1 : 2);
        const [first = ''] = hints;
        for (const form of addressForms(id, environment)) assert(first.includes(form), first);
        assert.equal(addressForms(id, environment).length > 0, type !== 'BANK' && hints.length > 0);
      }
    }
  });
}

test('until when it is to be claimed goes into a calendar, without the link', async () => {
  const { app, caller } = world;
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const nothing = { amount: undefined, address: undefined, network: undefined, asset: undefined };
  const { id } = await createRefund(app, caller, { checkoutId, kind: 'full', ...nothing });
  const own = `/de/refund/${claimToken(app.keyring, id)}`;
  const markup = await (await get(own)).text();
  assert.match(markup, /id="calendar" href="\/de\/refund\/[^"]+\/claim\.ics">In den Kalender/);
  const answer = await get(`${own}/claim.ics`);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/calendar/);
  const text = (await answer.text()).replaceAll('\r\n ', '');
  assert.match(text, /\r\nDTSTART:\d{8}T\d{6}Z\r\n/);
  assert.ok(text.includes(`UID:refund-${id}@quittance`));
  assert.ok(!text.includes(claimToken(app.keyring, id)), 'who sees a calendar claims nothing');
  assert.equal((await get('/de/refund/none/claim.ics')).status, 404);
});
