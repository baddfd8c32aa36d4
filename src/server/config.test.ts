import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { parseDecimal } from '#money/decimal.ts';
import { readConfig } from './config.ts';

const read = (environment: Record<string, string>, file?: string) =>
  readConfig({ environment, file, directory: '/srv/quittance' });

function faultsOf(environment: Record<string, string>, file?: string): readonly string[] {
  try {
    read(environment, file);
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error.details;
  }
  return [];
}

test('without any setting there are sane defaults', () => {
  const config = read({});
  assert.equal(config.port, 8080);
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.publicUrl, 'http://localhost:8080');
  assert.equal(config.dataDirectory, '/srv/quittance/data');
  assert.equal(config.keyFile, '/srv/quittance/data/keys/quittance.key');
  assert.equal(config.databaseUrl, undefined);
  assert.equal(config.sandbox, true);
  assert.deepEqual(config.roles, ['serve', 'watch', 'settle', 'deliver']);
  assert.deepEqual(config.priceSources, []);
  assert.deepEqual(config.networks.utxo, []);
});

test('the public address follows the port, and loses a slash at its end', () => {
  assert.equal(read({ PORT: '9000' }).publicUrl, 'http://localhost:9000');
  assert.equal(read({ PUBLIC_URL: 'https://pay.example/' }).publicUrl, 'https://pay.example');
});

test('sandbox and demo are off on a public https installation until they are switched on', () => {
  const played = (environment: Record<string, string>) => {
    const { sandbox, demo } = read(environment);
    return [sandbox, demo];
  };
  assert.deepEqual(played({}), [true, true]);
  assert.deepEqual(played({ PUBLIC_URL: 'http://shop.lan:8080' }), [true, true]);
  assert.deepEqual(played({ PUBLIC_URL: 'https://localhost:8443' }), [true, true]);
  const PUBLIC_URL = 'https://pay.example';
  assert.deepEqual(played({ PUBLIC_URL }), [false, false]);
  assert.deepEqual(played({ PUBLIC_URL, SANDBOX: 'on' }), [true, false]);
  assert.deepEqual(played({ PUBLIC_URL, SANDBOX: 'on', DEMO: 'on' }), [true, true]);
  assert.deepEqual(played({ DEMO: 'on', SANDBOX: 'off' }), [false, false]);
});

test('settings come from the file too, with comments and empty lines', () => {
  const config = read({}, '# where\n\nPORT = 9001\nSANDBOX=off\n');
  assert.equal(config.port, 9001);
  assert.equal(config.sandbox, false);
});

test('every fault is named in one message', () => {
  const faults = faultsOf(
    {
      PORT: 'eighty',
      ROLES: 'serve,dance',
      PUBLIC_URL: 'ftp://x',
      DATABASE_URL: 'mysql://x',
      FEE_PERCENT: '1,5',
      QUITTANCE_SPEED: 'fast',
      LITECOIN_RPC_URL: 'http://u:p@127.0.0.1:1',
    },
    'HOSTT=1\nnonsense',
  );
  for (const name of [
    'PORT',
    'ROLES',
    'PUBLIC_URL',
    'DATABASE_URL',
    'FEE_PERCENT',
    'QUITTANCE_SPEED',
    'LITECOIN_DESCRIPTOR',
    'HOSTT',
    'line 2',
  ]) {
    assert.ok(
      faults.some((fault) => fault.includes(name)),
      `${name} in ${faults.join('; ')}`,
    );
  }
});

test('what the commands over HTTP read from the environment stops no service beside them', () => {
  const QUITTANCE_URL = 'http://localhost:8080';
  const remote = { QUITTANCE_URL, QUITTANCE_KEY: 'k', QUITTANCE_SECRET: 's' };
  assert.deepEqual(faultsOf(remote, ''), []);
  assert.equal(faultsOf({ QUITTANCE_KEYS: 'k' }, '').length, 1);
});

test('a setting with two values is a contradiction, with the same value twice it is not', () => {
  assert.equal(faultsOf({ PORT: '1000' }, 'PORT=2000').length, 1);
  assert.deepEqual(faultsOf({ PORT: '1000' }, 'PORT=1000'), []);
});

test('names that are not ours are none of our business', () => {
  assert.deepEqual(faultsOf({ PATH: '/bin', LANG: 'de', QUITTANCE_TEST_SEED: '1' }), []);
});

const NODE = { LITECOIN_RPC_URL: 'http://u:p@127.0.0.1:1', LITECOIN_DESCRIPTOR: 'zpub' };

test('depths may be raised anywhere, and go below the smallest safe one on test chains only', () => {
  const depths = (chain: string, value: string) =>
    faultsOf({ ...NODE, LITECOIN_CHAIN: chain, LITECOIN_CONFIRMATIONS: value }).length;
  assert.equal(depths('main', '20/40/60'), 0);
  assert.equal(depths('main', '1/1/1'), 1);
  assert.equal(depths('regtest', '1/1/1'), 0);
  assert.equal(depths('regtest', '3/2/1'), 1);
  assert.equal(depths('regtest', 'one'), 1);
});

test('prices are asked for once a main chain is watched, unless they are switched off', () => {
  assert.equal(read({ ...NODE }).priceSources, 'all');
  assert.deepEqual(read({ ...NODE, LITECOIN_CHAIN: 'regtest' }).priceSources, []);
  assert.deepEqual(read({ ...NODE, PRICE_SOURCES: 'off' }).priceSources, []);
  assert.deepEqual(read({ PRICE_SOURCES: 'kraken, bitstamp' }).priceSources, [
    'kraken',
    'bitstamp',
  ]);
});

test('explorers: well-known ones, own ones over them, or none', () => {
  const own = 'https://explorer.example/tx/{transaction}?lang=en';
  assert.match(read({}).explorers.get('BITCOIN') ?? '', /^https:.*\{transaction\}$/);
  const explorers = read({ EXPLORERS: `BITCOIN=${own}` }).explorers;
  assert.equal(explorers.get('BITCOIN'), own);
  assert.ok(explorers.has('ETHEREUM'));
  assert.equal(read({ EXPLORERS: 'off' }).explorers.size, 0);
  const wrong = [
    'BITCOIN',
    'NONSENSE=https://x.example/{transaction}',
    'BITCOIN=https://x.example/',
  ];
  for (const value of [...wrong, 'BITCOIN=javascript:{transaction}']) {
    assert.match(faultsOf({ EXPLORERS: value })[0] ?? '', /^EXPLORERS: must be/, value);
  }
});

test('a fee is a percentage with at most four digits after the point', () => {
  assert.equal(read({ FEE_PERCENT: '0.5' }).feePartsPerMillion, 5_000);
  assert.equal(read({ FEE_PERCENT: '1' }).feePartsPerMillion, 10_000);
  assert.equal(faultsOf({ FEE_PERCENT: '0.00001' }).length, 1);
});

test('how much may be converted live is an amount in dollars, and nothing unless set', () => {
  const limit = (environment: Record<string, string>) => read(environment).exposureLimitUsd;
  assert.equal(limit({}), undefined);
  assert.equal(limit({ EXPOSURE_LIMIT_USD: 'off' }), undefined);
  assert.equal(limit({ EXPOSURE_LIMIT_USD: '0' }), undefined);
  assert.deepEqual(limit({ EXPOSURE_LIMIT_USD: '2500.50' }), parseDecimal('2500.50'));
  assert.equal(faultsOf({ EXPOSURE_LIMIT_USD: '-1' }).length, 1);
});

test('how far a price may move before nothing is converted at it is a percentage, or off', () => {
  const move = (environment: Record<string, string>) => read(environment).priceMove;
  assert.deepEqual(move({}), { partsPerMillion: 100_000, minutes: 15 });
  const given = { VOLATILITY_PERCENT: '2.5', VOLATILITY_MINUTES: '5' };
  assert.deepEqual(move(given), { partsPerMillion: 25_000, minutes: 5 });
  assert.equal(move({ VOLATILITY_PERCENT: 'off' }), undefined);
  assert.equal(faultsOf({ VOLATILITY_PERCENT: '-1', VOLATILITY_MINUTES: '0' }).length, 2);
});

test('what the brake holds is an amount in dollars, the deepest tier unless set', () => {
  const held = (environment: Record<string, string>) => read(environment).brakeHoldUsd;
  assert.deepEqual(held({}), parseDecimal('50000'));
  assert.deepEqual(held({ BRAKE_HOLD_USD: '0' }), parseDecimal('0'));
  assert.deepEqual(held({ BRAKE_HOLD_USD: '1234.56' }), parseDecimal('1234.56'));
  assert.equal(held({ BRAKE_HOLD_USD: 'off' }), undefined);
  for (const wrong of ['-1', '1e5', '50 000', '1.234', '007', 'on']) {
    assert.equal(faultsOf({ BRAKE_HOLD_USD: wrong }).length, 1, wrong);
  }
});

test('mail is off until there is a server; its address says host, port, user and kind of TLS', () => {
  assert.equal(read({}).mail, undefined);
  const MAIL_FROM = 'The Shop <pay@shop.example>';
  const { mail } = read({ MAIL_FROM, SMTP_URL: 'smtp://us%40er:p%2Fss@mx.example' });
  assert.deepEqual(
    [mail?.host, mail?.port, mail?.isTlsFromStart, mail?.tls, mail?.user, mail?.password],
    ['mx.example', 587, false, 'required', 'us@er', 'p/ss'],
  );
  assert.deepEqual(mail?.from, { name: 'The Shop', address: 'pay@shop.example' });
  const other = read({ MAIL_FROM, SMTP_URL: 'smtps://mx.example', SMTP_TLS: 'optional' }).mail;
  assert.deepEqual([other?.port, other?.isTlsFromStart, other?.tls], [465, true, 'optional']);
});

test('a wrong setting of mail is named, its password is not', () => {
  const faults = faultsOf({
    SMTP_URL: 'http://user:hush@mx.example/path',
    SMTP_TLS: 'never',
    MAIL_FROM: 'a@b.example\nBcc: c@d.example',
    DKIM_SELECTOR: 'a b',
  });
  assert.deepEqual(
    faults.map((fault) => fault.slice(0, fault.indexOf(':'))),
    ['SMTP_TLS', 'SMTP_URL', 'MAIL_FROM', 'DKIM_KEY_FILE', 'DKIM_SELECTOR'],
  );
  assert.doesNotMatch(faults.join(), /hush/);
  assert.deepEqual(faultsOf({ MAIL_FROM: 'a@b.example' }), [
    'MAIL_FROM: set, while SMTP_URL is not',
  ]);
});

test('whom alerts are told is checked, and what may be a password is not said again', () => {
  assert.deepEqual(read({}).alerts.mailTo, []);
  const { targets, balances } = read({
    ALERT_NTFY_URL: 'https://ntfy.example/some/where/topic-1',
    ALERT_WEBHOOK_URL: 'http://10.0.0.7:9000/hook',
    ALERT_BALANCES: 'LITECOIN/LTC:NATIVE=0.5',
  }).alerts;
  assert.equal(targets.ntfy?.url, 'https://ntfy.example/some/where/');
  assert.equal(targets.ntfy?.topic, 'topic-1');
  assert.equal(targets.webhook?.url, 'http://10.0.0.7:9000/hook');
  assert.equal(balances[0]?.chain, 'live:LITECOIN');
  const faults = faultsOf({
    ALERT_MAIL: 'anna@shop.example',
    ALERT_NTFY_URL: 'https://ntfy.example/',
    ALERT_WEBHOOK_URL: 'secret-word',
    ALERT_TELEGRAM_CHAT: 'no chat',
    ALERT_BALANCES: 'LITECOIN/LTC:NATIVE',
    ALERT_BACKUP_HOURS: '0',
    METRICS_PORT: 'on',
    LOG_REQUESTS: 'all',
  });
  assert.equal(faults.length, 9);
  assert.doesNotMatch(faults.join('\n'), /secret-word/);
});

test('a collector of traces is an address without a user, and a share is between none and all', () => {
  assert.equal(read({}).traces, undefined);
  assert.deepEqual(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }).traces, {
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: {},
    share: 1,
  });
  const faults = faultsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:secret-word@collector.example',
    OTEL_EXPORTER_OTLP_HEADERS_FILE: '/nowhere',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
  });
  assert.equal(faults.length, 3);
  assert.doesNotMatch(faults.join('\n'), /secret-word/);
});
