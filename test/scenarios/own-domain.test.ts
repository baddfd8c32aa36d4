// A merchant brings its own domain, from the command line and beside a running server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DnsServer, openDnsServer, SERVER_FAILURE } from '#test/support/dns-server.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

const HOST = 'pay.shop.example';
const PROOF_NAME = `_quittance-challenge.${HOST}`;
const charge = { currency: 'EUR', amount: '23' };

let dns: DnsServer;
let server: ServerProcess;
let shop: Shop;

before(async () => {
  dns = await openDnsServer();
  server = await openServerProcess({ settings: { DNS_SERVERS: dns.address } });
  await server.start();
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
  await dns.close();
});

type DomainJson = {
  readonly host: string;
  readonly record: { readonly name: string; readonly value: string };
  readonly verifiedAt: string | null;
  readonly lastCheckedAt: string | null;
};

const domain = (...words: string[]) => server.command('merchant', 'domain', ...words);

async function claimed(host = HOST): Promise<DomainJson> {
  const { exitCode, json, stderr } = await domain('add', host, '--json');
  assert.equal(exitCode, 0, stderr);
  return json.domain as DomainJson;
}

test('the help of every verb says what to type', async () => {
  for (const verb of ['add', 'verify', 'list', 'remove']) {
    const { exitCode, stdout } = await domain(verb, '--help');
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      new RegExp(`^npx quittance merchant domain ${verb} .*\\[--merchant ID\\]`),
    );
  }
});

test('a domain is claimed, and what to set in its DNS is said', async () => {
  const { exitCode, stdout } = await domain('add', 'PAY.Shop.example');
  assert.equal(exitCode, 0);
  const { record } = await claimed();
  assert.equal(record.name, PROOF_NAME);
  assert.match(record.value, /^quittance-proof-[0-9a-f]{32}$/);
  assert.ok(stdout.includes(`${PROOF_NAME}  TXT    ${record.value}`), stdout);
  assert.match(stdout, /pay\.shop\.example {2}CNAME {2}/);
  assert.ok(stdout.includes(`npx quittance merchant domain verify ${HOST}`));
  assert.match((await domain('list')).stdout, /^pay\.shop\.example {2}not verified\n$/);
});

test('what is wrong is said in one sentence', async () => {
  const { record } = await claimed();
  const { value } = record;
  const cases: readonly [string[], readonly string[] | undefined, string, RegExp][] = [
    [
      ['verify', HOST],
      undefined,
      'domain_proof_missing',
      /no TXT record: set it to quittance-proof-/,
    ],
    [['verify', HOST], ['v=spf1 -all'], 'domain_proof_wrong', /a TXT record that is not quittance/],
    [
      ['verify', HOST],
      [value, `quittance-proof-${'0'.repeat(32)}`],
      'domain_proof_ambiguous',
      /the proof of another account too/,
    ],
    [['verify', 'other.shop.example'], undefined, 'domain_unknown', /domain add other\.shop/],
    [['remove', 'other.shop.example'], undefined, 'domain_unknown', /is no domain of this account/],
    [['add', 'https://pay.shop.example'], undefined, 'domain_invalid', /a host alone/],
    [['add', '127.0.0.1'], undefined, 'domain_invalid', /no host that can be proven/],
    [['add'], undefined, 'usage', /the host is missing/],
    [['list', '--merchant', 'nobody000000', '--what'], undefined, 'usage', /--what/],
  ];
  for (const [words, values, code, sentence] of cases) {
    dns.records.clear();
    if (values !== undefined) {
      dns.records.set(
        PROOF_NAME,
        values.map((one) => [one]),
      );
    }
    const { exitCode, json, stderr } = await domain(...words, '--json');
    const error = json.error as { code: string; message: string };
    assert.deepEqual([exitCode, error.code], [code === 'usage' ? 2 : 1, code]);
    assert.match(error.message, sentence);
    assert.ok(stderr.includes(error.message));
  }
  dns.behave(SERVER_FAILURE);
  const { exitCode, json } = await domain('verify', HOST, '--json');
  dns.behave(undefined);
  assert.deepEqual([exitCode, (json.error as { code: string }).code], [1, 'outage']);
});

test('once it is proven new checkouts are there, old ones stay, and doctor looks after it', async () => {
  const before = await shop.open(charge, 'LITECOIN');
  const oldUrl = (await shop.client.findCheckout(before.checkoutId)).hostedCheckoutUrl;
  dns.records.set(PROOF_NAME, [[(await claimed()).record.value]]);
  const verified = await domain('verify', HOST);
  assert.equal(verified.exitCode, 0, verified.stderr);
  assert.match(
    verified.stdout,
    /^pay\.shop\.example is verified\..*https:\/\/pay\.shop\.example\./,
  );
  assert.match((await domain('list')).stdout, /^pay\.shop\.example {2}verified 2.*, checked 2/);

  // The server remembers keys and hosts, and hears of the change.
  const create = () =>
    shop.client.post<{ url: string; checkoutId: string }>('/checkout/hosted', {
      charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Ink', netAmount: '23' }] },
      webhook: `${shop.receiver.origin}/hooks/own`,
    });
  let url = '';
  await waitUntil('a checkout under the domain', async () => {
    url = (await create()).url;
    return url.startsWith(`https://${HOST}/`);
  });
  const created = await create();
  const { checkoutId } = created;
  await shop.client.commit(checkoutId, 'LITECOIN');
  const found = await shop.client.findCheckout(checkoutId);
  assert.equal(found.hostedCheckoutUrl, created.url);
  await server.command('sandbox', 'pay', checkoutId);
  await server.command('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '6');
  const event = await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
  assert.equal(event.data.checkout.hostedCheckoutUrl, created.url, 'the webhook says the same');
  assert.equal((await shop.client.findCheckout(before.checkoutId)).hostedCheckoutUrl, oldUrl);

  const well = await server.command('doctor');
  assert.match(well.stdout, /ok {3}pay\.shop\.example .*its proof stands/);
  dns.records.clear();
  const ill = await server.command('doctor', '--json');
  assert.equal(ill.exitCode, 1);
  assert.match(JSON.stringify(ill.json), /still served, but _quittance-challenge\.pay\.shop\.ex/);
  assert.ok((await create()).url.startsWith(`https://${HOST}/`), 'nothing was switched off');
});
