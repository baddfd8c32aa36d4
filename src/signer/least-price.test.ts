import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  evmOrder,
  openSignerWorld,
  STELLAR_PAIR,
  stellarOrder,
  WIDE_RULES,
} from '#test/support/signer-world.ts';
import { againstPrice, leastPricesOf } from './least-price.ts';
import { purposeDigest, type SignOrder } from './sign-order.ts';

const XLM = 'XLM:NATIVE';
const USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const PAIR = { environment: 'live', give: XLM, get: USDC, least_price: '0.095' } as const;
const RULES = `
[[convert]]
environment = "live"
give = "${XLM}"
get = "${USDC}"
least_price = "0.095"
`;

function against(
  units: bigint,
  leastUnits: bigint,
  more: { give?: string; get?: string; environment?: 'live' | 'test'; price?: string } = {},
): string {
  const { give = XLM, get = USDC, environment = 'live', price = '0.095' } = more;
  const faults: string[] = [];
  const find = leastPricesOf([{ ...PAIR, least_price: price }], faults);
  assert.deepEqual(faults, []);
  const payments = [{ assetId: give, units, account: {} }];
  const order = { kind: 'CONVERT', environment, payments } as const;
  return againstPrice(order, { buys: { assetId: get, leastUnits } }, find).join();
}

for (const [units, least, verdict] of [
  [1_000_000_000n, 95_000_000n, ''],
  [1_000_000_000n, 94_999_999n, 'gives 100 XLM for at least 9.4999999 USDC; the least price'],
  [1_000_000_000n, 10n ** 12n, ''],
  // Below a unit nothing is rounded for whoever gives it.
  [1n, 1n, ''],
  [11n, 1n, 'it gives 0.0000011 XLM'],
  [10n, 1n, ''],
  [1_000_000_000n, 0n, 'it gives 100 XLM for at least 0 USDC'],
  [10n ** 18n, 95n * 10n ** 15n - 1n, 'the least price of the signer is 0.095 USDC for one XLM'],
] as const) {
  test(`${units} lumens in units for ${least}: ${verdict || 'signed'}`, () => {
    const said = against(units, least);
    assert(verdict === '' ? said === '' : said.includes(verdict), said);
  });
}

test('a pair that is not in the file, turned round or of another environment is refused', () => {
  const unknown = /there is no \[\[convert\]\] that gives .* and gets/;
  assert.match(against(10n, 10n ** 9n, { give: USDC, get: XLM }), unknown);
  assert.match(against(10n, 10n ** 9n, { get: 'EUR:FIAT' }), unknown);
  assert.match(against(10n, 10n ** 9n, { environment: 'test' }), unknown);
});

test('a mistake in the file is a sentence', () => {
  for (const [list, pattern] of [
    [[PAIR, PAIR], /convert\[1\]: there are two prices/],
    [[{ ...PAIR, give: 'XML:NATIVE' }], /convert\[0\].give: no asset XML:NATIVE/],
    [[{ ...PAIR, get: XLM }], /it gives what it gets/],
    [[{ ...PAIR, least_price: '0.000' }], /must be above zero/],
  ] as const) {
    const faults: string[] = [];
    leastPricesOf(list, faults);
    assert.match(faults.join(), pattern);
  }
});

function conversion(id: string, units: bigint, leastUnits: bigint, sequence = 77n): SignOrder {
  const buys = { assetId: USDC, leastUnits };
  const account = { account: STELLAR_PAIR.publicKey() };
  const delivery = { by: 'exchange', ...buys, path: [] } as const;
  const made = stellarOrder({ id, units, account }, { delivery, sequence });
  return { ...made, kind: 'CONVERT', buys, facts: { ...made.facts, sequence } };
}

test('the signer holds a conversion to its own price, pair and caps', () => {
  const caps = WIDE_RULES.replace('asset = "XLM:NATIVE"\nper_transaction = "1000000"', (text) =>
    text.replace('1000000', '60'),
  ).replace(/(asset = "XLM:NATIVE"\nper_transaction = "60"\nper_day = )"1000000"/, '$1"100"');
  const world = openSignerWorld(caps);
  const told = (order: SignOrder) => {
    const answer = world.sign(order);
    return answer.answer === 'refused' ? `${answer.code}: ${answer.reasons.join()}` : answer.answer;
  };
  const first = conversion('one', 600_000_000n, 57_000_000n);
  assert.match(told(first), /^price_refused: there is no \[\[convert\]\]/);
  world.restart(`${caps}${RULES}`);
  assert.equal(told(first), 'signed');
  assert.equal(told(first), 'signed');
  assert.match(told(conversion('two', 500_000_000n, 47_499_999n, 78n)), /^price_refused: .*0\.095/);
  assert.match(told(conversion('two', 610_000_000n, 60_000_000n, 78n)), /^above_cap: .*one trans/);
  assert.match(
    told(conversion('two', 500_000_000n, 50_000_000n, 78n)),
    /^above_cap: .*of 24 hours/,
  );
  world.restart(`${caps}${RULES}`);
  assert.match(
    told(conversion('two', 500_000_000n, 50_000_000n, 78n)),
    /^above_cap: .*of 24 hours/,
  );
  assert.match(told({ ...evmOrder(), kind: 'CONVERT' }), /^price_refused: what is converted/);
  world.close();
});

test('a second person agrees to what is given and to the least that comes', () => {
  const one = conversion('one', 10n, 10n);
  assert.notEqual(purposeDigest(one), purposeDigest(conversion('one', 10n, 9n)));
  const world = openSignerWorld(
    `${WIDE_RULES.replace('asset = "XLM:NATIVE"', 'asset = "XLM:NATIVE"\nsecond_person_above = "1"')}${RULES}`,
  );
  const order = conversion('one', 600_000_000n, 57_000_000n);
  const answer = world.sign(order);
  assert(answer.answer === 'needs-approval');
  for (const again of [false, true]) {
    if (again) world.restart();
    const pending = world.ask({ ask: 'pending', code: answer.code });
    assert(pending.answer === 'pending');
    assert.deepEqual(pending.purpose.buys, order.buys);
    assert.equal(purposeDigest(pending.purpose), pending.digest);
  }
  world.close();
});
