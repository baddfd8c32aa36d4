// Hostile texts in every field, without a browser: over the API each of them in each field that takes a
// text, and stored by everybody in a shop whose rooms, tables, invoices and mails are then read. In a
// long run 2,000 of them, in a short one a few of each kind; it says how many places were looked at.
// What a browser makes of them is in test/browser/hostile.test.ts and hostile-rooms.test.ts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { simpleParser } from 'mailparser';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { allowAddress } from '#access/allow-list.ts';
import { inlineReferences } from '#api/inline-references.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { hasLoneSurrogate, hasNul } from '#base/text.ts';
import { cleanLetter, messageOf } from '#mail/letter.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { readXml } from '#networks/bank/read-xml.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { sampleMail } from '#pages/letters/sample-mail.ts';
import { fillShop } from '#test/browser/hostile-shop.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { hostileStrings } from '#test/support/hostile-strings.ts';
import { lenientCells } from '#test/support/lenient-cells.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import { byLength } from '#test/support/run-length.ts';
import { type Called, openTestApi, type TestApi } from '#test/support/test-api.ts';

const ALL = hostileStrings(2_000);
/** Every so-manieth, so that each kind is among them. */
const every = (step: number) => ALL.filter((_text, index) => index % step === 0);
const TEXTS = every(byLength({ short: 61, long: 1 }));
const isStorable = (text: string) => !hasNul(text) && !hasLoneSurrogate(text);

let api: TestApi;
let world: DashboardWorld;
before(async () => {
  api = await openTestApi({ simulated: true });
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
  world = await openDashboardWorld();
  await world.observe('LITECOIN');
});
after(async () => {
  await api.close();
  await world.close();
});

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10' }] };
const account = { iban: 'DE89370400440532013000', holder: 'Supplier' };
const RIGHT: Readonly<Record<string, object>> = {
  'POST /checkout': { charge },
  'POST /checkout/hosted': { charge },
  'POST /checkout/validate-checkout-charge': { charge },
  'POST /customer': { customer: { email: 'a@shop.example' } },
  'POST /deposit-address': { network: 'LITECOIN' },
  'POST /beneficiary': { beneficiary: { label: 'Supplier', network: 'SEPA', account } },
};

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
};

/** Of a request, each field that takes a text which no list or pattern bounds. */
function textFields(schema: Schema | undefined, at: readonly string[] = []): TextField[] {
  if (schema === undefined) return [];
  const isText = [schema.type].flat().includes('string');
  const isFree = schema.enum === undefined && schema.const === undefined && !schema.pattern;
  const { additionalProperties: more, maxLength = 60 } = schema;
  return [
    ...(isText && isFree ? [{ path: at.join('.'), most: maxLength }] : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) =>
      (some ?? []).flatMap((one) => textFields(one, at)),
    ),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      textFields(one, [...at, name]),
    ),
    ...textFields(schema.items, [...at, '0']),
    ...(typeof more === 'object' ? textFields(more, [...at, '*']) : []),
  ];
}

type TextField = { readonly path: string; readonly most: number };

type Operation = {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
};
const paths = inlineReferences(openApiDocument(ROUTES, 'http://pay.example'))
  .paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const FIELDS_OF = new Map(
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const found = textFields(requestBody?.content['application/json']?.schema);
      const fields = [...new Map(found.map((one) => [one.path, one])).values()];
      const name = `${method.toUpperCase()} ${path}`;
      return fields.length === 0 ? [] : [[name, fields] as const];
    }),
  ),
);

const ITEMS = 'charge.lineItems.0.description charge.lineItems.0.productId ';
const CHARGE_TEXTS =
  `${ITEMS}charge.discountItems.0.description charge.shippingCostItems.0.description ` +
  'charge.taxItems.0.name';
const PERSON =
  'customer.firstname customer.lastname customer.company customer.adr1 customer.adr2 ' +
  'customer.zip customer.city customer.phonenumber customer.taxid customer.note';

/** By request, the fields whose text is kept and shown as it came. */
const KEPT: Readonly<Record<string, string>> = {
  'POST /checkout': `${CHARGE_TEXTS} pageSettings.shopName pageSettings.termsText`,
  'POST /checkout/hosted': `${CHARGE_TEXTS} pageSettings.shopName pageSettings.termsText`,
  'POST /checkout/validate-checkout-charge': CHARGE_TEXTS,
  'POST /customer': PERSON,
  'PUT /customer': PERSON,
  'POST /deposit-address': 'label',
  'POST /beneficiary': 'beneficiary.label',
  'PUT /account-settings': 'customerMailWords.0.opening customerMailWords.0.closing',
  'PUT /page-look': 'words.0.words',
};

const CHARGE_NAMES = 'charge.customerId charge.billingCurrency charge.currency';
const CHECKOUT_NAMES =
  `${CHARGE_NAMES} settlementAsset settlementCurrency webhook anchors.* blockchainRelays.* ` +
  'pageSettings.returnUrl pageSettings.cancelUrl pageSettings.termsUrl ' +
  'pageSettings.tipPercents.0 pageSettings.tipAmounts.0 ' +
  'links.cancelUrl links.returnUrl';
/** Of live keys alone, or of the type of a request and not read of an account. */
const OF_ACCOUNT =
  'pageSettings.returnUrl pageSettings.cancelUrl pageSettings.shopName pageSettings.termsUrl ' +
  'pageSettings.tipPercents.0 pageSettings.tipAmounts.0 ' +
  'pageSettings.termsText';
const ACCOUNT =
  'address invoice lightningAddress lnurl account memo memoType iban accountNumber bic holder pixKey taxId';
const SIMULATED = 'network checkoutId depositAddressId asset inAsset';

/** By request, the fields that name something else, which is looked up or read: an id, an address. */
const NAMES: Readonly<Record<string, string>> = {
  'POST /checkout': CHECKOUT_NAMES,
  'POST /checkout/hosted': CHECKOUT_NAMES,
  'POST /checkout/validate-checkout-charge': CHARGE_NAMES,
  'POST /checkout/commit': 'checkoutId network asset depositNetwork relatedAssetId assetCode',
  'POST /checkout/cancel': 'checkoutId',
  'POST /checkout/accept-underpaid': 'checkoutId',
  'POST /deposit-address': 'network asset webhook',
  'POST /webhook-endpoint': 'url',
  'PUT /webhook-endpoint': 'webhookEndpointId',
  'DELETE /webhook-endpoint': 'id',
  'POST /webhook-endpoint/rotate-secret': 'webhookEndpointId',
  'PUT /account-settings': `settlementAsset methodOrder.0 methodsOff.0 methodsRecommended.0 embedOrigins.0 ${OF_ACCOUNT}`,
  'PUT /page-look': 'primaryColor backgroundColor colors.0 logo darkLogo fontFile boldFontFile',
  'PUT /spending-limit': 'measure amount left',
  'POST /customer': 'customer.email customer.countrycode',
  'PUT /customer': 'customer.id customer.email customer.countrycode',
  'DELETE /customer': 'id',
  'POST /swap': 'sourceAsset targetAsset',
  'POST /swap/commit': 'swapId',
  'POST /beneficiary': `beneficiary.network ${ACCOUNT.replaceAll(/\w+/g, 'beneficiary.account.$&')}`,
  'DELETE /beneficiary': 'id',
  'POST /transfer': 'network asset targetAccount',
  'POST /transfer/commit': 'transferId',
  'POST /transfer/cancel': 'transferId',
  'POST /settlement-rule': 'asset schedule.zone convertTo network targetAccount',
  'DELETE /settlement-rule': 'id',
  'POST /settlement-rule/pause': 'settlementRuleId',
  'POST /settlement-rule/resume': 'settlementRuleId',
  'POST /approval': 'subject',
  'POST /refund': 'checkoutId address memo holder network asset',
  'POST /refund/cancel': 'refundId',
  'POST /sandbox/pay': SIMULATED,
  'POST /sandbox/mine': SIMULATED,
  'POST /sandbox/replace': 'checkoutId',
  'POST /sandbox/reorg': SIMULATED,
  'POST /sandbox/expire': 'checkoutId',
  'POST /sandbox/freeze': 'network',
};

const listed = (table: Readonly<Record<string, string>>, name: string) =>
  (table[name] ?? '').split(' ').filter((one) => one !== '');

test('every field of the API that takes a text is in one of two tables', () => {
  assert.deepEqual(
    [...FIELDS_OF.keys()].sort(),
    [...new Set([...Object.keys(KEPT), ...Object.keys(NAMES)])].sort(),
  );
  for (const [name, fields] of FIELDS_OF) {
    const inTables = [...listed(KEPT, name), ...listed(NAMES, name)].sort();
    assert.deepEqual(fields.map(({ path }) => path).sort(), inTables, name);
  }
});

/** What a list needs beside a text in its first entry. */
const BESIDE: Readonly<Record<string, object>> = {
  lineItems: { description: 'Book', netAmount: '10' },
  discountItems: { description: 'Less', netAmount: '1' },
  shippingCostItems: { description: 'Post', netAmount: '1' },
  taxItems: { name: 'VAT', percent: '0.1' },
  customerMailWords: { kind: 'PAID', language: 'en' },
  words: { place: 'PAID', language: 'en' },
};

function withTexts(body: object, texts: ReadonlyMap<string, string>): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  for (const [path, text] of texts) {
    let at: Record<string, unknown> = copy;
    const steps = path.split('.').map((step) => (step === '*' ? 'BITCOIN' : step));
    for (const [index, step] of steps.entries()) {
      if (index === steps.length - 1) at[step] = text;
      else {
        at[step] ??= steps[index + 1] === '0' ? [{ ...BESIDE[step] }] : {};
        at = at[step] as Record<string, unknown>;
      }
    }
  }
  return copy;
}

/** Of the first 150 letters or fewer: a pair of halves stays whole. */
const cut = (text: string, most: number) => {
  const short = text.slice(0, Math.min(most, 150));
  return hasLoneSurrogate(short) && !hasLoneSurrogate(text) ? short.slice(0, -1) : short;
};

async function ask(name: string, texts: ReadonlyMap<string, string>): Promise<Called> {
  const [method = '', path = ''] = name.split(' ');
  const right = name === 'PUT /customer' ? { customer: { id: customerId } } : RIGHT[name];
  // What is of test and live together a live key sets.
  const key = path === '/page-look' ? api.liveKey : api.key;
  const called = await api.call(method, path, { body: withTexts(right ?? {}, texts), key });
  const [[field = '', text = ''] = []] = texts;
  const said = `${name} ${field} ${JSON.stringify(text)}: ${called.text.slice(0, 300)}`;
  assert.ok(called.status < 500, `${called.status} ${said}`);
  assert.match(called.headers.get('content-type') ?? '', /^application\/json/, said);
  return called;
}

let customerId = '';

/** What is stored of it, read again where it can be. */
async function readBack(name: string, { json }: Called): Promise<unknown> {
  const id = String(json?.id ?? json?.customerId ?? json?.customer?.id ?? '');
  if (name.startsWith('POST /checkout') && id !== '') {
    return (await api.call('GET', '/checkout', { query: `?id=${id}` })).json;
  }
  if (name.endsWith('/customer')) {
    const query = `?id=${id || customerId}`;
    return (await api.call('GET', '/customer', { query })).json;
  }
  return json;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => textsIn(one));
}

test('what is kept is kept as it came, or refused in words: each text in each such field', async (t) => {
  customerId = String((await ask('POST /customer', new Map())).json.customerId);
  const counts = { texts: 0, kept: 0, refused: 0 };
  for (const [index, text] of TEXTS.entries()) {
    // What is cut to the same text would have the same signature.
    await api.clock.advance(1_000);
    for (const [name, fields] of FIELDS_OF) {
      const kept = fields.filter(({ path }) => listed(KEPT, name).includes(path));
      // In a short run each text is of one request, in turn.
      const isTurn = TEXTS.length === ALL.length || index % 2 === 0;
      if (kept.length === 0 || !isTurn) continue;
      const texts = new Map(kept.map(({ path, most }) => [path, cut(text, most)]));
      const called = await ask(name, texts);
      counts.texts += texts.size;
      if (called.status >= 400) {
        counts.refused += texts.size;
        const isOurs = isStorable(text) && [...texts.values()].every((one) => one.trim() !== '');
        const isPlain = isOurs && !/\p{Cc}|\p{Cf}|[\u2028\u2029]/u.test(text);
        // Cut or trimmed, two texts may be one label.
        assert.ok(
          !isPlain || called.status === 409,
          `${name} refused ${JSON.stringify(text)}: ${called.text}`,
        );
        continue;
      }
      assert.ok(isStorable(text), `${name} took ${JSON.stringify(text)}`);
      counts.kept += texts.size;
      const found = new Set(textsIn(await readBack(name, called)));
      const isShown = /^(?:POST|PUT) \/(?:checkout|checkout\/hosted|customer)$/.test(name);
      for (const [path, sent] of isShown ? texts : []) {
        assert.ok(found.has(sent) || found.has(sent.trim()), `${name} ${path}: ${sent}`);
      }
    }
  }
  t.diagnostic(`${TEXTS.length} texts: ${JSON.stringify(counts)}`);
});

test('what names something else is refused in words, or found: no text makes a failure of ours', async (t) => {
  let asked = 0;
  const perField = byLength({ short: 3, long: 60 });
  let turn = 0;
  for (const [name, fields] of FIELDS_OF) {
    for (const { path } of fields.filter((one) => listed(NAMES, name).includes(one.path))) {
      for (let count = 0; count < perField; count += 1) {
        turn += 1;
        await ask(name, new Map([[path, ALL[(turn * 37) % ALL.length] ?? '']]));
        asked += 1;
      }
    }
  }
  t.diagnostic(`${asked} requests`);
});

const TAG = /<([a-z][\w-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*\/?>/gi;

/** Kinds of elements with the names of their attributes, as they stand in the markup. */
function kindsIn(markup: string): Set<string> {
  const kinds = [...markup.matchAll(TAG)].map(([, name = '', attributes = '']) => {
    const names = [...attributes.matchAll(/([^\s"'=]+)(?:="[^"]*")?/g)].map(([, one]) => one);
    return `${name.toLowerCase()}[${names.sort().join()}]`;
  });
  // What a tag of ours may not look like: one that no pattern of ours reads.
  const rest = markup.replaceAll(/<(script|style)\b.*?<\/\1>/gs, '').replaceAll(TAG, '');
  for (const [odd] of rest.matchAll(/<(?!\/[a-z][\w-]*>|!doctype html>)[^\s]{0,40}/gi)) {
    kinds.push(odd);
  }
  return new Set(kinds);
}

/** An amount of ours may begin with a minus. */
const FORMULA = /^[=+\-@＝＋－＠](?!\d+(?:\.\d+)?(?:,|$))/;
const PER_SHOP = 25;

test('stored by everybody and read in every room, table and invoice: texts stay texts', async (t) => {
  const owner = await world.comeAs('OWNER', 'olga');
  const counts = { texts: 0, rooms: 0, tables: 0, papers: 0, documents: 0 };
  const harmless = new Map<string, ReadonlySet<string>>();
  const plain = Array.from({ length: PER_SHOP }, (_, index) => `Plain text ${index}`);
  const stored = every(byLength({ short: 41, long: 1 })).filter(isStorable);
  const shops = [plain];
  for (let from = 0; from < stored.length; from += PER_SHOP) {
    shops.push(stored.slice(from, from + PER_SHOP).map((text) => cut(text, 150)));
  }
  for (const [turn, texts] of shops.entries()) {
    const { rooms, files } = await fillShop(world, texts);
    for (const [name, path] of Object.entries(rooms)) {
      const { status, markup, headers } = await owner.get(path);
      assert.equal(status, 200, path);
      for (const value of headers.values()) assert.match(value, /^[\t -~\u0080-\u00ff]*$/, path);
      const kinds = kindsIn(markup);
      if (turn === 0) harmless.set(name, kinds);
      const more = [...kinds].filter((kind) => harmless.get(name)?.has(kind) === false);
      assert.deepEqual(more, [], `${path} has elements that nobody wrote`);
      counts.rooms += 1;
    }
    for (const path of files) {
      const { markup } = await owner.get(path);
      const cells = [',', ';', '\t'].flatMap((separator) => lenientCells(markup, separator));
      const formulas = cells.filter((cell) => FORMULA.test(cell));
      assert.deepEqual(formulas, [], path);
      counts.tables += 1;
    }
    const paper = await world.pages.request(`http://localhost:8080${rooms.invoice}/pdf`, {
      headers: { cookie: owner.cookies() },
    });
    const { whole } = readPdf(new Uint8Array(await paper.arrayBuffer()));
    counts.papers += 1;
    const [xml] = /<\?xml[\s\S]*?<\/rsm:CrossIndustryInvoice>/.exec(whole) ?? [];
    assert(xml !== undefined, 'the document that programs read');
    // The document inside is no part of the structure of the file.
    const structure = whole.replace(xml, '').replaceAll(/\((?:\\.|[^\\)])*\)/g, '()');
    assert.doesNotMatch(structure, /\/(?:JavaScript|JS|OpenAction|AA|URI|Launch)\b/);
    readXml(Buffer.from(xml, 'latin1'));
    counts.documents += 1;
    counts.texts += texts.length;
  }
  t.diagnostic(JSON.stringify(counts));
});

test('in a mail no text is a header, a receiver or an element', async (t) => {
  const publicUrl = 'https://pay.shop.example';
  const page = { ...DEFAULT_PAGE_SETTINGS, contact: 'hi@shop.example' };
  const letterOf = (name: string) =>
    customerLetter(sampleMail('PAID', 'en', { seller: { name, page }, publicUrl }));
  const kinds = kindsIn(letterOf('Plain').html);
  const texts = every(byLength({ short: 7, long: 1 })).filter(isStorable);
  for (const text of texts) {
    const letter = cleanLetter({ ...letterOf(cut(text, 150)), fromName: text });
    assert.deepEqual(
      [...kindsIn(letter.html)].filter((kind) => !kinds.has(kind)),
      [],
      text,
    );
    const at = Temporal.Instant.from('2026-03-01T12:00:00Z');
    const mail = { id: 'abc', receiver: 'ann@customers.test', letter, at };
    const message = messageOf(mail, { name: '', address: 'pay@shop.test' });
    const parsed = await simpleParser(await new MailComposer(message).compile().build());
    const names = [...parsed.headers.keys()].join(' ');
    assert.doesNotMatch(names, /bcc|cookie|x-other|location/, text);
    const addresses = [parsed.from, parsed.to].flat().flatMap((one) => one?.value ?? []);
    assert.deepEqual(
      addresses.map(({ address }) => address),
      ['pay@shop.test', 'ann@customers.test'],
      text,
    );
  }
  t.diagnostic(`${texts.length} mails`);
});
