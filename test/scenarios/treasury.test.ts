// A checkout converts, its policy reserves the order of the house, and an operator carries it out
// with `npx quittance treasury` beside the running server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const TEST = ['--environment', 'test'] as const;
const SAID = ['--by', 'anna', '--reason', 'hedge of the evening'] as const;
const LTC = 'LTC:NATIVE';
const EUR = 'EUR:FIAT';

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

type Said = Readonly<Record<string, unknown>>;

async function run(...words: string[]): Promise<Said> {
  const { exitCode, json, stderr } = await server.command(...words, '--json');
  assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
  return json;
}

async function refused(code: string, ...words: string[]): Promise<void> {
  const { exitCode, json } = await server.command(...words, '--json');
  assert.deepEqual([exitCode !== 0, (json.error as Said).code], [true, code], words.join(' '));
}

const position = async () =>
  (await run('treasury', 'position', ...TEST)) as Said & {
    open: { side: string; asset: string; amount: string; withoutOrder: string }[];
    accounts: { account: string; asset: string; amount: string }[];
  };

async function sellForEuro(): Promise<void> {
  const id = await shop.create({ currency: 'EUR', amount: '50' }, { settlementAsset: EUR });
  await run('sandbox', 'pay', id, '--method', 'LITECOIN');
  await run('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '24');
  await shop.client.waitForState(id, 'COMPLETED');
}

test('what a checkout converted is closed by the parts of one order, to the unit', async () => {
  const policy = ['treasury', 'policy', 'set', LTC, EUR, '--mode', 'at-once'];
  await run(...policy, '--provider', 'kraken', ...TEST, ...SAID);
  await sellForEuro();
  const { open } = await position();
  assert.deepEqual(open, [
    { side: 'promised', asset: EUR, amount: '50', withoutOrder: '0' },
    { side: 'taken', asset: LTC, amount: '0.575', withoutOrder: '0' },
  ]);
  const { orders } = (await run('treasury', 'list', ...TEST)) as { orders: Said[] };
  assert.deepEqual(
    orders.map(({ state, sells, closes }) => [state, sells, closes]),
    [['RESERVED', '0.575', '50']],
  );
  const id = String(orders[0]?.id);
  const part = ['treasury', 'fill', id, 'T1', '--sold', '0.1', '--got', '9', '--fee', '0.02'];
  await refused('order_not_placed', ...part);
  const placed = (await run('treasury', 'place', id, '--by', 'bob')) as { order: Said };
  assert.deepEqual([placed.order.state, placed.order.clientOrderId], ['ORDERED', `qt${id}`]);
  const again = ['treasury', 'order', '0.01', LTC, '--for', EUR, '--provider', 'kraken'];
  await refused('position_too_small', ...again, ...TEST, ...SAID);
  await run(...part);
  await run(...part);
  await refused('fill_differs', ...part.slice(0, -2));
  await refused('fill_too_large', 'treasury', 'fill', id, 'T2', '--sold', '0.48', '--got', '1');
  const wrong = ['treasury', 'fill', id, 'T2', '--sold', '0.475', '--got', '400'];
  await run(...wrong);
  await run('treasury', 'unfill', id, 'T2', ...SAID);
  await run('treasury', 'fill', id, 'T2b', '--sold', '0.475', '--got', '41.5');
  const trail = (await run('audit', 'list', '--about', `order:${id}`)) as { acts: Said[] };
  assert.deepEqual(
    trail.acts.map(({ verb, actor }) => [
      verb,
      actor === 'bob' || actor === 'anna' ? actor : 'own',
    ]),
    [
      ['treasury-place', 'bob'],
      ...[1, 2, 3].map(() => ['treasury-fill', 'own']),
      ['treasury-unfill', 'anna'],
      ['treasury-fill', 'own'],
    ],
  );
  const shown = (await run('treasury', 'show', id)) as { order: Said; fills: Said[] };
  assert.equal(shown.order.state, 'COMPLETED');
  assert.deepEqual(
    shown.fills.map(({ id: name, closed, result, undoneBy }) => [name, closed, result, undoneBy]),
    [
      ['T1', '8.69', '0.31', null],
      ['T2', '41.31', '358.69', 'anna'],
      ['T2b', '41.31', '0.19', null],
    ],
  );
  const closed = await position();
  assert.deepEqual(closed.open, []);
  const units = (name: string, asset: string) =>
    closed.accounts.find((one) => one.account === name && one.asset === asset)?.amount;
  assert.equal(units('conversion-result', EUR), '0.5');
  assert.equal(units('provider-fees', EUR), '0.02');
  assert.deepEqual(
    [units('custody:kraken', LTC), units('custody:kraken', EUR)],
    ['-0.575', '50.48'],
  );
  await shop.checkBooks();
});

test('money goes to the provider, and what it says it has is held against the ledger', async () => {
  const move = ['treasury', 'move', 'to', 'kraken', '0.6', LTC, '--network', 'LITECOIN'];
  const reference = ['--reference', 'a-transaction', ...TEST, ...SAID];
  const limit = ['two-people', LTC, '--everyone', ...TEST];
  await run('limit', 'set', 'two-people', '0.5', ...limit.slice(1), ...SAID);
  await refused('second_person', ...move, ...reference);
  const approve = ['approval', 'give', 'move:kraken:a-transaction', '--by'];
  await refused('second_person', ...approve, 'anna');
  await run(...approve, 'bob');
  const { move: sent } = (await run(...move, ...reference)) as { move: Said };
  assert.deepEqual(await run(...move, ...reference), { move: sent });
  await refused('second_person', 'limit', 'remove', ...limit, ...SAID);
  await run('approval', 'give', `limit:TWO_PEOPLE:${LTC}:test:everyone`, '--by', 'bob');
  await run('limit', 'remove', ...limit, ...SAID);
  await run('treasury', 'arrived', String(sent.id), '--amount', '0.5999');
  const trail = (await run('audit', 'list', '--about', `move:${sent.id}`)) as { acts: Said[] };
  const noted = ['treasury-move', 'treasury-move', 'treasury-arrived'];
  assert.deepEqual(
    trail.acts.map(({ verb }) => verb),
    noted,
  );
  const balance = ['treasury', 'balance', 'kraken', LTC];
  assert.equal((await run(...balance, '0.0249', ...TEST)).difference, '0');
  const apart = await server.command(...balance, '0.025', ...TEST, '--json');
  assert.deepEqual([apart.exitCode, apart.json.difference], [1, '0.0001']);
  await shop.checkBooks();
});

test('what lies hot beyond its target is to be put away, and nothing else', async () => {
  const target = ['treasury', 'target', 'set', 'LITECOIN', LTC];
  const holding = async () =>
    ((await position()).holdings as { asset: string; hot: string; move: unknown }[]).find(
      ({ asset }) => asset === LTC,
    );
  const before = await holding();
  assert.deepEqual([before?.hot, before?.move], ['0.575', null]);
  await refused('usage', ...target, '--target', '0.2', '--least', '0.3', ...TEST, ...SAID);
  await run(...target, '--target', '0.2', '--most', '0.3', ...TEST, ...SAID);
  const move = { to: 'cold', amount: '0.375', missing: '0' };
  assert.deepEqual((await holding())?.move, move);
  await run(...target, '--target', '5', '--most', '9', '--least', '0', ...TEST, ...SAID);
  assert.equal((await holding())?.move, null);
  await run('treasury', 'target', 'remove', 'LITECOIN', LTC, ...TEST);
  await refused('target_missing', 'treasury', 'target', 'remove', 'LITECOIN', LTC, ...TEST);
});

test('a pair that is refused leaves the method out; a spread makes it cost more', async () => {
  const policy = ['treasury', 'policy', 'set', LTC, '*'];
  await run(...policy, '--mode', 'refuse', ...TEST, ...SAID);
  // The policy of the pair is nearer than that of any.
  const pair = ['treasury', 'policy', 'set', LTC, EUR, '--mode', 'within-limit'];
  await run(...pair, '--spread-ppm', '10000', ...TEST, ...SAID);
  const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '50' }] };
  const asked = async (settlementAsset: string) => {
    const made = await shop.client.post<{
      paymentMethods: { relatedAssetId: string; paymentAmount: string }[];
    }>('/checkout', { charge, settlementAsset });
    return made.paymentMethods.find(({ relatedAssetId }) => relatedAssetId === LTC)?.paymentAmount;
  };
  assert.equal(await asked(EUR), '0.58075');
  assert.equal(await asked('ORIGIN'), '0.575');
  assert.equal(await asked('BTC:NATIVE'), undefined);
  const { policies } = (await run('treasury', 'policy', 'list', ...TEST)) as { policies: Said[] };
  assert.deepEqual(
    policies.map(({ toAssetId, mode, spreadPartsPerMillion }) => [
      toAssetId,
      mode,
      spreadPartsPerMillion,
    ]),
    [
      ['*', 'refuse', 0],
      [EUR, 'within-limit', 10_000],
    ],
  );
});

test('an asset is promised only while it is held, from when it is said until it is taken back', async () => {
  const liquidity = async () => ((await position()).liquidity as Said[]).map(({ asset }) => asset);
  assert.deepEqual(await liquidity(), []);
  await run('treasury', 'liquidity', 'set', EUR, ...TEST, ...SAID);
  await run('treasury', 'liquidity', 'set', EUR, ...TEST, ...SAID);
  const [euro] = (await position()).liquidity as Said[];
  // 50 were credited in it, and nobody has brought any.
  assert.deepEqual([euro?.asset, euro?.hot, euro?.lockedByWindows], [EUR, '0', '0']);
  assert.match(String(euro?.free), /^-\d/);
  await run('treasury', 'liquidity', 'remove', EUR, ...TEST, '--by', 'anna');
  assert.deepEqual(await liquidity(), []);
  await refused('liquidity_policy_missing', 'treasury', 'liquidity', 'remove', EUR, ...TEST);
});

test('what cannot be is refused with a sentence that says what to do', async () => {
  for (const [code, words] of [
    ['usage', ['order', '1', 'LTC', '--for', EUR, '--provider', 'kraken', ...SAID]],
    ['usage', ['order', '1', LTC, '--for', EUR, '--provider', 'Kraken', ...SAID]],
    ['usage', ['order', '1', LTC, '--for', EUR, '--provider', 'kraken']],
    ['usage', ['order', '0', LTC, '--for', EUR, '--provider', 'kraken', ...SAID]],
    ['order_missing', ['fill', 'nobodysorder', 'T1', '--sold', '1', '--got', '1']],
    ['usage', ['fill', 'nobodysorder', 'T:1', '--sold', '1', '--got', '1']],
    ['order_missing', ['cancel', 'nobodysorder', ...SAID]],
    ['order_missing', ['draft', 'nobodysorder']],
    ['usage', ['liquidity', 'set', 'EUR', ...SAID]],
    ['usage', ['liquidity', 'set', ...SAID]],
    ['usage', ['policy', 'set', LTC, EUR, '--mode', 'at-once', ...SAID]],
    ['usage', ['policy', 'set', LTC, EUR, '--mode', 'sometimes', ...SAID]],
    [
      'usage',
      ['move', 'to', 'kraken', '1', LTC, '--network', 'BITCOIN', '--reference', 'x', ...SAID],
    ],
    ['usage', ['balance', 'kraken', LTC]],
  ] as const) {
    await refused(code, 'treasury', ...words);
  }
});
