// Domains of merchants' own: which hosts can be claimed, what proves them, and who is believed.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import fc from 'fast-check';
import { createApiKey } from '#access/api-key.ts';
import { findApiKey } from '#access/caller.ts';
import { systemRandom } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { ConstraintViolation, sql } from '#db/db.ts';
import { keyringOf } from '#installation/keyring.ts';
import {
  type DnsServer,
  openDnsServer,
  REFUSED,
  SERVER_FAILURE,
} from '#test/support/dns-server.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { createMerchant } from './create-merchant.ts';
import {
  addDomain,
  createDomainCache,
  decideDomainProof,
  domainFinder,
  findDomainName,
  listDomains,
  newProofToken,
  parseDomainName,
  removeDomain,
} from './domain.ts';
import { checkDomain, textRecordsBy, verifyDomain } from './verify-domain.ts';

const clock = manualClock(Temporal.Instant.from('2026-11-21T10:00:00Z'));
const keyring = keyringOf(new Uint8Array(32).fill(1), systemRandom);
const HOST = 'pay.shop.example';
const PROOF_NAME = `_quittance-challenge.${HOST}`;

let database: TestDatabase;
let dns: DnsServer;
let app: { db: TestDatabase['db'] } & Parameters<typeof addDomain>[0] &
  Parameters<typeof createMerchant>[0];
let merchantId: string;
let otherId: string;
let ask: ReturnType<typeof textRecordsBy>;

before(async () => {
  database = await openTestDatabase();
  dns = await openDnsServer();
  ask = textRecordsBy({ servers: [dns.address] });
  app = { db: database.db, keyring, clock, random: systemRandom, publicUrl: 'https://pay.example' };
  merchantId = (await createMerchant(app, { name: 'Shop' })).id;
  otherId = (await createMerchant(app, { name: 'Other' })).id;
});
afterEach(async () => {
  dns.records.clear();
  dns.behave(undefined);
  await database.db.single((tx) => tx.query(sql`delete from merchant_domain`));
});
after(async () => {
  await dns.close();
  await database.close();
});

async function claim(owner = merchantId, host = HOST): Promise<string> {
  return (await addDomain(app, owner, host)).proofToken;
}

const prove = (...values: readonly string[]) =>
  dns.records.set(
    PROOF_NAME,
    values.map((value) => [value]),
  );
const verify = (owner = merchantId, by = ask) => verifyDomain(app, by, owner, HOST);
const ownerOf = async (hostname: string) => (await domainFinder(app)(hostname))?.merchantId;

async function refusalOf(act: Promise<unknown>): Promise<Refusal> {
  const error = await act.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof Refusal, String(error));
  return error;
}

test('a host is kept in one spelling; what is none is refused', () => {
  const kept: Record<string, string> = {
    'pay.shop.example': HOST,
    'PAY.Shop.EXAMPLE': HOST,
    'pay.shop.example.': HOST,
    'ｐay。shop.example': HOST,
    'zahlung.bücher.example': 'zahlung.xn--bcher-kva.example',
    // Cyrillic a: it looks alike, and is another host.
    'p\u0430y.shop.example': 'xn--py-7kc.shop.example',
    'a.xn--p1ai': 'a.xn--p1ai',
  };
  for (const [text, host] of Object.entries(kept)) {
    assert.deepEqual(parseDomainName(text), { host }, text);
  }
  const refused = [
    ...['', ' ', 'localhost', 'shop', '127.0.0.1', '[::1]', '0x7f.1', '2130706433', '1.2.3'],
    ...['https://pay.shop.example', 'pay.shop.example/', 'pay.shop.example:443', 'a@shop.example'],
    ...['*.shop.example', 'pay..example', '-a.example', 'a-.example', 'a_b.example', '.example'],
    ...['pay.shop.example\n', 'pay.shop.example?x', 'pay.shop.example#x', 'pay\\shop.example'],
    ...['a;b.example', "a'b.example", 'a,b.example', 'pay.shop.example..', '%70ay.example'],
    ...[`${'a'.repeat(64)}.example`, `${'a.'.repeat(120)}example`, 'a.1'],
  ];
  for (const text of refused) assert.ok('fault' in parseDomainName(text), text);
});

test('whatever is typed, a host that is kept is a host in its one spelling', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.string({ unit: 'binary' }), fc.webAuthority()), (text) => {
      const parsed = parseDomainName(text);
      if ('fault' in parsed) return;
      assert.match(parsed.host, /^[a-z0-9.-]{1,230}$/);
      assert.equal(new URL(`https://${parsed.host}/`).host, parsed.host);
      assert.deepEqual(parseDomainName(parsed.host), parsed);
      assert.equal(findDomainName(parsed.host), parsed.host);
    }),
  );
});

test('the proof is the one token, alone', () => {
  const token = newProofToken(systemRandom);
  const other = newProofToken(systemRandom);
  assert.notEqual(token, other);
  const cases: readonly [string[], string][] = [
    [[], 'missing'],
    [[token], 'proven'],
    [[` ${token} `], 'proven'],
    [['v=spf1 -all', token, 'google-site-verification=x'], 'proven'],
    [[token, token], 'proven'],
    [['v=spf1 -all'], 'wrong'],
    [[''], 'wrong'],
    [[other], 'wrong'],
    [[token.toUpperCase()], 'wrong'],
    [[`${token}0`], 'wrong'],
    [[`x ${token}`], 'wrong'],
    [[token, other], 'ambiguous'],
  ];
  for (const [records, proof] of cases) {
    assert.equal(decideDomainProof(records, token), proof, records.join());
  }
});

test('a domain is claimed, proven by its TXT record, listed and taken back', async () => {
  const added = await addDomain(app, merchantId, 'PAY.shop.example');
  const { proofToken } = added;
  assert.deepEqual(added, {
    ...{ merchantId, host: HOST, proofToken, addedAt: clock.now() },
    ...{ verifiedAt: undefined, lastCheckedAt: undefined },
  });
  assert.equal(await claim(), proofToken, 'claimed again it is the same claim');
  assert.equal(await ownerOf(HOST), undefined);

  prove(proofToken);
  const verified = await verify();
  assert.deepEqual(dns.asked.at(-1), PROOF_NAME);
  assert.equal(String(verified.verifiedAt), String(clock.now()));
  assert.equal(String(verified.lastCheckedAt), String(clock.now()));
  assert.deepEqual(await listDomains(app.db, merchantId), [verified]);
  assert.deepEqual(await listDomains(app.db, otherId), []);
  assert.equal(await ownerOf(HOST), merchantId);

  assert.equal(await removeDomain(app, merchantId, HOST), HOST);
  assert.equal(await ownerOf(HOST), undefined);
  assert.equal((await refusalOf(removeDomain(app, merchantId, HOST))).code, 'domain_unknown');
  assert.notEqual(await claim(), proofToken, 'a new claim needs a new proof');
});

test('without the right proof nothing is verified, and the refusal says what to do', async () => {
  const token = await claim();
  const faults: readonly [() => unknown, string, RegExp][] = [
    [
      () => undefined,
      'domain_proof_missing',
      new RegExp(`${PROOF_NAME} has no TXT record.*${token}`),
    ],
    [() => prove(), 'domain_proof_missing', /has no TXT record/],
    [() => prove('v=spf1 -all'), 'domain_proof_wrong', new RegExp(`that is not ${token}`)],
    [
      () => prove(token, newProofToken(systemRandom)),
      'domain_proof_ambiguous',
      /another account.*remove/,
    ],
  ];
  for (const [set, code, sentence] of faults) {
    set();
    const refusal = await refusalOf(verify());
    assert.equal(refusal.code, code);
    assert.match(refusal.message, sentence);
  }
  assert.equal((await refusalOf(verify(otherId))).code, 'domain_unknown');
  for (const how of [SERVER_FAILURE, REFUSED, 'silent'] as const) {
    dns.behave(how);
    const hasty = textRecordsBy({ servers: [dns.address], timeoutMs: 200 });
    await assert.rejects(verify(merchantId, hasty), Outage);
  }
  assert.equal(await ownerOf(HOST), undefined);
});

test('name servers have ten seconds at most, however many there are', async () => {
  dns.behave('silent');
  const servers = Array.from({ length: 8 }, () => dns.address);
  const slow = textRecordsBy({ servers, wholeMs: 300 });
  const beganAt = performance.now();
  await assert.rejects(slow(PROOF_NAME), Outage);
  assert.ok(performance.now() - beganAt < 10_000);
});

test('a long record comes in parts that are one text', async () => {
  const token = await claim();
  dns.records.set(PROOF_NAME, [[token.slice(0, 20), token.slice(20)]]);
  assert.equal((await verify()).host, HOST);
});

test('any number may claim a host; it is of the one that proved it last', async () => {
  const [own, others] = [await claim(), await claim(otherId)];
  prove(own);
  await verify();
  assert.equal((await refusalOf(verify(otherId))).code, 'domain_proof_wrong');
  // The old owner is still there: nobody takes a domain away by adding a record.
  prove(own, others);
  assert.equal((await refusalOf(verify(otherId))).code, 'domain_proof_ambiguous');
  assert.equal(await ownerOf(HOST), merchantId);
  prove(others);
  await verify(otherId);
  assert.equal(await ownerOf(HOST), otherId);
  assert.equal((await listDomains(app.db, merchantId))[0]?.verifiedAt, undefined);
  assert.equal((await refusalOf(verify())).code, 'domain_proof_wrong');
});

test('the database itself lets no host have two owners', async () => {
  await claim();
  await claim(otherId);
  const both = sql`update merchant_domain set verified_at = now()`;
  await assert.rejects(
    app.db.single((tx) => tx.query(both)),
    ConstraintViolation,
  );
});

test('a proof that vanished is told, and nothing is switched off', async () => {
  const token = await claim();
  prove(token);
  const domain = await verify();
  await clock.advance(3_600_000);
  dns.records.clear();
  assert.equal(await checkDomain(app, ask, domain), 'missing');
  assert.equal(await ownerOf(HOST), merchantId);
  assert.equal(
    String((await listDomains(app.db, merchantId))[0]?.lastCheckedAt),
    String(clock.now()),
  );
});

test('what belongs to nobody or to the service cannot be claimed', async () => {
  assert.equal((await refusalOf(addDomain(app, merchantId, 'pay.example'))).code, 'domain_invalid');
  assert.equal((await refusalOf(addDomain(app, merchantId, '127.0.0.1'))).code, 'domain_invalid');
  assert.equal((await refusalOf(addDomain(app, 'nobody000000', HOST))).code, 'merchant_unknown');
  for (let index = 0; index < 20; index += 1) await claim(merchantId, `a${index}.shop.example`);
  assert.equal((await refusalOf(addDomain(app, merchantId, HOST))).code, 'domains_full');
  assert.equal((await listDomains(app.db, merchantId)).length, 20);
});

test('a caller knows where the pages of its merchant are: the domain proven last', async () => {
  const { key } = await createApiKey(app, { merchantId, environment: 'test' });
  const origin = async () => (await findApiKey(app, key))?.caller.pageOrigin;
  assert.equal(await origin(), undefined);
  prove(await claim());
  assert.equal(await origin(), undefined, 'a claim alone changes nothing');
  await verify();
  assert.equal(await origin(), `https://${HOST}`);
  await clock.advance(3_600_000);
  const newer = await claim(merchantId, 'new.shop.example');
  dns.records.set('_quittance-challenge.new.shop.example', [[newer]]);
  await verifyDomain(app, ask, merchantId, 'new.shop.example');
  await verify();
  assert.equal(await origin(), 'https://new.shop.example', 'verified again it is not newer');
});

test('hosts are remembered until a change is heard, and never while none could be', async () => {
  let isHearing = true;
  const domainCache = createDomainCache(() => isHearing);
  const find = domainFinder({ ...app, domainCache });
  assert.equal(await find(HOST), undefined);
  prove(await claim());
  await verify();
  assert.equal(await find(HOST), undefined, 'remembered');
  isHearing = false;
  assert.equal((await find(HOST))?.merchantId, merchantId, 'asked anew');
  isHearing = true;
  domainCache.forgetAll();
  assert.equal((await find(HOST))?.merchantId, merchantId);
  const remember = domainCache.begin();
  domainCache.forgetAll();
  remember(new Map());
  assert.equal((await find(HOST))?.merchantId, merchantId, 'read before the change: forgotten');
  assert.equal((await find('PAY.shop.example'))?.merchantId, undefined, 'a URL is lower case');
  assert.equal((await find('pay.shop.example.'))?.merchantId, merchantId);
});
