import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  checkTarget,
  findTargetFault,
  type ResolveAddresses,
  STRICT_TARGET_RULES,
  type TargetRules,
} from './target-guard.ts';

const publicAddresses = ['8.8.8.8', '1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00::1'];

/** First, second, last but one and last address of every range that is denied. */
const deniedFour = [
  '0.0.0.0 0.0.0.1 0.255.255.254 0.255.255.255',
  '10.0.0.0 10.0.0.1 10.255.255.254 10.255.255.255',
  '100.64.0.0 100.64.0.1 100.127.255.254 100.127.255.255',
  '127.0.0.0 127.0.0.1 127.255.255.254 127.255.255.255',
  '169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255',
  '172.16.0.0 172.16.0.1 172.31.255.254 172.31.255.255',
  '192.0.0.0 192.0.0.1 192.0.0.254 192.0.0.255',
  '192.0.2.0 192.0.2.1 192.0.2.254 192.0.2.255',
  '192.88.99.0 192.88.99.1 192.88.99.254 192.88.99.255',
  '192.168.0.0 192.168.1.1 192.168.255.254 192.168.255.255',
  '198.18.0.0 198.18.0.1 198.19.255.254 198.19.255.255',
  '198.51.100.0 198.51.100.1 198.51.100.254 198.51.100.255',
  '203.0.113.0 203.0.113.1 203.0.113.254 203.0.113.255',
  '224.0.0.0 224.0.0.1 239.255.255.250 239.255.255.255',
  '240.0.0.0 240.0.0.1 255.255.255.254 255.255.255.255',
].flatMap((line) => line.split(' '));

const deniedSix = [
  ':: ::1 ::2 fc00:: fc00::1 fd12:3456:789a::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fe80:: fe80::1 febf:ffff::1 fec0::1 feff::1 ff00:: ff02::1 ff05::2 ffff::ffff',
  '100::1 100:0:0:1::1 2001:2::1 2001:10::1 2001:20::1 2001:1::1 2001:1ff::1 2001:db8::1',
  '3fff::1 3fff:fff::1 5f00::1 4000::1 1fff::1 64:ff9b:1::808:808 64:ff9b:1:ffff::1 200::1',
  '64:ff9b:2::808:808 fd00:ec2::254 fd20:ce::254',
].flatMap((line) => line.split(' '));

/** Each way in which an IPv6 address carries an IPv4 one. */
const wrappers: Record<string, (hex: string) => string> = {
  mapped: (hex) => `::ffff:${hex}`,
  mappedLong: (hex) => `0:0:0:0:0:FFFF:${hex}`,
  compatible: (hex) => `::${hex}`,
  nat64: (hex) => `64:ff9b::${hex}`,
  nat64Local: (hex) => `64:ff9b:1::${hex}`,
  nat64LocalDeep: (hex) => `64:ff9b:1:ffff:1:2:${hex}`,
  sixToFour: (hex) => `2002:${hex}::1`,
  sixToFourLong: (hex) => `2002:${hex}:1:2:3:4:5`,
  teredoServer: (hex) => `2001:0:${hex}:0:ffff:f7f7:f7f7`,
  teredoClient: (hex) => `2001:0:808:808:0:ffff:${invert(hex)}`,
};

type Vector = { readonly name: string; readonly answers: readonly string[] };

const single: Vector[] = [
  ...deniedFour.map((address) => ({ name: address, answers: [address] })),
  ...deniedSix.map((address) => ({ name: address, answers: [address] })),
  ...Object.entries(wrappers).flatMap(([wrapper, wrap]) =>
    deniedFour.map((address) => {
      const wrapped = wrap(hexPair(address));
      return { name: `${wrapper} ${address}`, answers: [wrapped] };
    }),
  ),
  ...['', 'x', '127.1', '0x7f000001', '2130706433', 'fe80::1%lo', '8.8.8.8 ', '[2a00::1]'].map(
    (text) => ({ name: `unparsable ${text}`, answers: [text] }),
  ),
];

/** How a name server may hand out the same denied address. */
const modes: Record<string, (answers: readonly string[]) => readonly string[]> = {
  alone: (answers) => answers,
  'after public ones': (answers) => [...publicAddresses, ...answers],
  'before public ones': (answers) => [...answers, ...publicAddresses],
  'beyond the eighth': (answers) => [...publicAddresses, ...publicAddresses, ...answers],
};

const openRules: TargetRules = { ...STRICT_TARGET_RULES, httpForLive: true };

test('every denied address is refused, in every form, in every mode of the name server', async (t) => {
  let count = 0;
  for (const [mode, arrange] of Object.entries(modes)) {
    for (const { name, answers } of single) {
      for (const environment of ['live', 'test'] as const) {
        const resolve: ResolveAddresses = async () => arrange(answers);
        const check = await checkTarget('https://shop.test/', environment, openRules, resolve);
        assert.equal(check.kind, 'refused', `${name}, ${mode}, ${environment}`);
        count += 1;
      }
    }
  }
  t.diagnostic(`${single.length} addresses, ${count} checks`);
  assert.ok(single.length >= 500);
});

test('every denied address is refused as a literal in the URL', async () => {
  for (const { name, answers } of single) {
    const address = answers[0] ?? '';
    const host = address.includes(':') ? `[${address}]` : address;
    const check = await checkTarget(`https://${host}/`, 'live', openRules, neverAsked);
    // A text that is no address may still parse as a name, which is then asked for.
    if (name.startsWith('unparsable')) continue;
    assert.equal(check.kind, 'refused', name);
  }
});

test('odd spellings of inside addresses are refused without asking a name server', async () => {
  const hosts = ['127.1', '0x7f.1', '0x7f000001', '0177.0.0.1', '2130706433', '017700000001'];
  const more = [
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '[::]',
    '0xa9fea9fe',
  ];
  const wrapped = ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'];
  for (const host of [...hosts, ...more, ...wrapped, '１６９.254.169.254', '0251.0376.0251.0376']) {
    const check = await checkTarget(`https://${host}/`, 'live', openRules, neverAsked);
    assert.equal(check.kind, 'refused', host);
    assert.notEqual(findTargetFault(`https://${host}/`, 'live', openRules), undefined, host);
  }
});

test('public addresses are allowed and pinned', async () => {
  for (const address of [...publicAddresses, '64:ff9b::808:808', '2002:808:808::1', '172.32.0.1']) {
    const resolve = async () => [address];
    const check = await checkTarget('https://shop.test/', 'live', STRICT_TARGET_RULES, resolve);
    assert.equal(check.kind, 'allowed', address);
    assert.ok(check.kind === 'allowed');
    assert.deepEqual(
      check.target.addresses.map((pinned) => pinned.address),
      [address],
    );
  }
});

test('random addresses behind every wrapper fare as the address inside', async () => {
  await fc.assert(
    fc.asyncProperty(fc.ipV4(), fc.constantFrom(...Object.values(wrappers)), async (four, wrap) => {
      const plain = await checkTarget('https://a.test/', 'live', openRules, async () => [four]);
      if (plain.kind === 'allowed') return;
      const answers = async () => [wrap(hexPair(four))];
      const wrapped = await checkTarget('https://a.test/', 'live', openRules, answers);
      assert.equal(wrapped.kind, 'refused', wrap(hexPair(four)));
    }),
    { numRuns: 2000 },
  );
});

const urls: readonly [url: string, live: boolean, test: boolean][] = [
  ['https://shop.test/hook?x=1', true, true],
  ['https://shop.test:443/', true, true],
  ['https://shop.test:8443/', true, true],
  ['https://shop.test./', true, true],
  ['https://SHOP.test/#part', true, true],
  ['http://shop.test/', false, true],
  ['http://shop.test:443/', false, true],
  ['https://shop.test:22/', false, false],
  ['https://shop.test:6379/', false, false],
  ['https://shop.test:0/', false, false],
  ['https://shop.test:65536/', false, false],
  ['https://user@shop.test/', false, false],
  ['https://user:word@shop.test/', false, false],
  ['https://:word@shop.test/', false, false],
  ['ftp://shop.test/', false, false],
  ['file:///etc/passwd', false, false],
  ['gopher://shop.test/', false, false],
  ['javascript:alert(1)', false, false],
  ['data:text/plain,x', false, false],
  ['//shop.test/', false, false],
  ['shop.test', false, false],
  ['', false, false],
  ['https://', false, false],
  ['https://exa mple.test/', false, false],
  [`https://shop.test/${'a'.repeat(2031)}`, false, false],
  [`https://shop.test/${'a'.repeat(2030)}`, true, true],
];

test('only https without a user on the usual ports for live keys, http too for test keys', async () => {
  const resolve = async () => ['8.8.8.8'];
  for (const [url, live, isTest] of urls) {
    const text = url.slice(0, 60);
    for (const [environment, expected] of [
      ['live', live],
      ['test', isTest],
    ] as const) {
      const check = await checkTarget(url, environment, STRICT_TARGET_RULES, resolve);
      assert.equal(check.kind === 'allowed', expected, `${environment} ${text}`);
      const fault = findTargetFault(url, environment, STRICT_TARGET_RULES);
      assert.equal(fault === undefined, expected, `${environment} ${text}: ${fault}`);
    }
  }
});

test('the operator opens http, ports and ranges one by one', async () => {
  const lan = async () => ['192.168.1.5'];
  const rules = { ...STRICT_TARGET_RULES, allowedRanges: ['192.168.1.0/24', 'fd00::/8'] };
  const at = async (url: string, with_: TargetRules, resolve: ResolveAddresses) =>
    (await checkTarget(url, 'live', with_, resolve)).kind;
  assert.equal(await at('https://shop.test/', rules, lan), 'allowed');
  assert.equal(await at('https://[fd00::1]/', rules, neverAsked), 'allowed');
  assert.equal(await at('https://[::ffff:192.168.1.5]/', rules, neverAsked), 'allowed');
  assert.equal(await at('https://[64:ff9b::c0a8:105]/', rules, neverAsked), 'refused');
  assert.equal(await at('https://shop.test/', rules, async () => ['192.168.2.5']), 'refused');
  assert.equal(await at('https://shop.test:9000/', rules, lan), 'refused');
  assert.equal(await at('https://shop.test:9000/', { ...rules, ports: [9000] }, lan), 'allowed');
  assert.equal(await at('http://shop.test/', rules, lan), 'refused');
  assert.equal(await at('http://shop.test/', { ...rules, httpForLive: true }, lan), 'allowed');
});

test('loopback is for test keys of an installation that itself listens on loopback only', async () => {
  const rules = { ...STRICT_TARGET_RULES, loopbackForTest: true };
  const at = async (url: string, environment: 'test' | 'live', resolve: ResolveAddresses) =>
    (await checkTarget(url, environment, rules, resolve)).kind;
  assert.equal(await at('http://127.0.0.1:9/', 'test', neverAsked), 'allowed');
  assert.equal(await at('http://[::1]:3000/', 'test', neverAsked), 'allowed');
  assert.equal(await at('http://localhost:3000/', 'test', async () => ['127.0.0.1']), 'allowed');
  assert.equal(await at('https://127.0.0.1/', 'live', neverAsked), 'refused');
  assert.equal(await at('http://10.0.0.1/', 'test', neverAsked), 'refused');
  assert.equal(await at('http://[2002:7f00:1::]/', 'test', neverAsked), 'refused');
  const mixed = async () => ['127.0.0.1', '8.8.8.8'];
  assert.equal(await at('http://a.test:9/', 'test', mixed), 'refused');
});

test('a name is resolved once: what a second answer would say does not matter', async () => {
  const script = [['8.8.8.8'], ['127.0.0.1']];
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return script.shift() ?? [];
  };
  const check = await checkTarget('https://shop.test/', 'live', STRICT_TARGET_RULES, resolve);
  assert.ok(check.kind === 'allowed');
  assert.equal(asked, 1);
  assert.deepEqual(check.target.addresses, [{ address: '8.8.8.8', family: 4 }]);
});

test('a name without an address, or with far too many, is refused', async () => {
  const kinds = [];
  const many = Array.from({ length: 65 }, () => '8.8.8.8');
  for (const resolve of [async () => [], async () => many, () => Promise.reject(new Error())]) {
    kinds.push((await checkTarget('https://a.test/', 'live', STRICT_TARGET_RULES, resolve)).kind);
  }
  assert.deepEqual(kinds, ['refused', 'refused', 'refused']);
});

function hexPair(four: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = four.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function invert(hex: string): string {
  const groups = hex.split(':').map((group) => Number.parseInt(group, 16) ^ 0xffff);
  return groups.map((group) => group.toString(16)).join(':');
}

async function neverAsked(hostname: string): Promise<string[]> {
  assert.fail(`the name server was asked for ${hostname}`);
}
