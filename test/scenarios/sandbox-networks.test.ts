// With a test key every network of the specification can be tried from the choice to the receipt: on the
// hosted page, by its QR code, paid with `quittance sandbox pay`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAsset } from '#catalog/asset.ts';
import { listNetworks } from '#catalog/network.ts';
import { readSvgCode } from '#test/support/read-svg-code.ts';
import { byLength } from '#test/support/run-length.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { storyTeller } from '#test/support/story-teller.ts';

let server: ServerProcess;
let shop: Shop;

before(async () => {
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

const story = storyTeller(() => shop);

/** Of 23 euros by the reference table; what is on the page and in its code. */
const WAYS: readonly {
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  /** Of depositInstructions. */
  readonly shows: 'address' | 'memo' | 'destinationTag';
  readonly code: RegExp | undefined;
}[] = [
  ['BITCOIN', 'BTC:NATIVE', '0.0002645', 'address', /^bitcoin:tb1\w+\?amount=0.0002645$/i],
  ['LITECOIN', 'LTC:NATIVE', '0.2645', 'address', /^litecoin:tltc1\w+\?amount=0.2645$/i],
  ['ETHEREUM', 'ETH:NATIVE', '0.0066125', 'address', /@11155111\?value=6612500000000000$/],
  ['STELLAR', 'XLM:NATIVE', '66.125', 'memo', /^web\+stellar:pay\?.*amount=66.125&memo=\d+/],
  ['LIGHTNING', 'BTC:NATIVE', '26450', 'address', /^lightning:lntbs/i],
  [
    'XRP_LEDGER',
    'XRP:NATIVE',
    '10.58',
    'destinationTag',
    /^ripple:r\w+\?to=r\w+&dt=\d+&amount=10.58$/,
  ],
  ['BASE', 'ETH:NATIVE', '0.0066125', 'address', /@84532\?value=6612500000000000$/],
  ['POLYGON', 'POL:NATIVE', '105.8', 'address', /@80002\?value=105800000000000000000$/],
  [
    'ARBITRUM',
    'USDC:0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    '26.45',
    'address',
    /^ethereum:0xaf88d065e77c8cC2239327C5EDb3A432268e5831@421614\/transfer\?address=0x\w{40}&uint256=26450000$/,
  ],
  ['OPTIMISM', 'ETH:NATIVE', '0.0066125', 'address', /@11155420\?value=6612500000000000$/],
  [
    'SEPA',
    'EUR:FIAT',
    '23',
    'memo',
    /^BCD\n002\n1\nSCT\n.*\nDE\d{20}\nEUR23.00\n\nRF\d\dQ\d{11}$/s,
  ],
  ['SWIFT', 'USD:FIAT', '26.45', 'memo', undefined],
  ['PIX', 'BRL:FIAT', '146.95', 'memo', /^000201.*br\.gov\.bcb\.pix.*5406146\.95.*RF\d\dQ/],
].map(([network, asset, amount, shows, code]) => ({
  network,
  asset,
  amount,
  shows,
  code,
})) as never;

test('every network of the catalog is among them', () => {
  assert.deepEqual(
    WAYS.map(({ network }) => network).sort(),
    listNetworks()
      .map(({ id }) => id)
      .sort(),
  );
});

async function readPage(url: string, form?: Record<string, string>): Promise<string> {
  const answer = await fetch(url, {
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    headers: { origin: new URL(url).origin },
  });
  assert.equal(answer.status, 200, url);
  return answer.text();
}

const groupOf = (assetId: string) => getAsset(assetId).group;

type Payments = readonly { readonly network: string; readonly transaction: string }[];

/** Once by the command line, which begins a program: the others as it does, over HTTP. */
async function pay(checkoutId: string, network: string): Promise<Payments> {
  const { payments } =
    network === 'XRP_LEDGER'
      ? ((await server.commandProcess('sandbox', 'pay', checkoutId, '--json')).json as Paid)
      : await shop.client.post<Paid>('/sandbox/pay', { checkoutId });
  return payments;
}
type Paid = { readonly payments: Payments };

/** In a short run one network of each family; two of banks, which have codes of their own. */
const FAMILIES = ['BITCOIN', 'ETHEREUM', 'STELLAR', 'LIGHTNING', 'XRP_LEDGER', 'SEPA', 'PIX'];
const PLAYED = byLength({
  short: WAYS.filter(({ network }) => FAMILIES.includes(network)),
  long: WAYS,
});

for (const { network, asset, amount, shows, code } of PLAYED) {
  story(`${asset} on ${network} is chosen, paid by its code, completed and receipted`, async () => {
    const id = await shop.create({ currency: 'EUR', amount: '23' });
    const { hostedCheckoutUrl: url } = await shop.client.findCheckout(id);
    const choice = await readPage(url);
    assert(choice.includes(groupOf(asset)), 'the page does not offer it');
    const toPay = await readPage(`${url}/choose`, { method: `${network} ${asset}` });
    const { depositInstructions } = await shop.client.findCheckout(id);
    assert(depositInstructions !== null);
    assert.equal(depositInstructions.amount, amount);
    const shown = String(depositInstructions[shows]).replaceAll(/.{4}(?=.)/g, '$& ');
    const isShown = toPay.includes(String(depositInstructions[shows])) || toPay.includes(shown);
    assert(isShown, `the page does not say ${shows}`);
    assert(toPay.includes(amount), `the page does not say ${amount}`);
    const svg = /<figure id="qr">.*?(<svg.*?<\/svg>)/s.exec(toPay)?.[1];
    if (code === undefined) assert.equal(svg, undefined);
    else assert.match(readSvgCode(svg ?? '') ?? 'no code', code);

    const payments = await pay(id, network);
    assert.equal(payments[0]?.network, network);
    await shop.client.waitFor(id, (found) => found.blockchainTransactions.length > 0);
    await shop.client.post('/sandbox/mine', { network, blocks: 4 });
    const { flags } = await shop.client.waitForState(id, 'COMPLETED');
    assert.deepEqual(flags, {});
    await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');

    const paid = await readPage(url);
    const receipt = /href="([^"]*\/receipt[^"]*)"/.exec(paid)?.[1];
    assert(receipt !== undefined, 'the page has no receipt');
    const paper = await readPage(new URL(receipt, url).href);
    assert(paper.includes(payments[0]?.transaction ?? 'no transaction'));
  });
}
