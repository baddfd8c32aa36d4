// What the adapter makes of a server of the XRP Ledger that is away, odd, behind or hostile, and of
// an account that cannot receive.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { readPosition } from '#chain/chain-status.ts';
import { sql } from '#db/db.ts';
import type { Network } from '#deposit/network.ts';
import { AnswerTooLong } from '#networks/http-client.ts';
import { openXrplNetworks } from '#networks/xrpl/open-xrpl-networks.ts';
import { openXrplServer } from '#networks/xrpl/xrpl-server.ts';
import { listSuspense, suspenseView } from '#suspense/suspense-view.ts';
import { seededXrplKey } from './xrpl-ledger.ts';
import { openXrplWorld, XRP, type XrplWorld } from './xrpl-world.ts';

const DROPS = 12_500_000n;

let world: XrplWorld;
let network: Network;
beforeEach(async () => {
  world = await openXrplWorld();
  assert.deepEqual(await world.observe(), []);
  const adapter = world.app.networks.get('live:XRP_LEDGER');
  assert(adapter !== undefined);
  network = adapter;
});
afterEach(() => world?.close());

async function creditedOf(act: (tag: bigint) => void): Promise<bigint> {
  const { instruction } = await world.createAndCommit('XRP_LEDGER', XRP, DROPS);
  const before = await world.credited();
  assert(instruction.destinationTag !== undefined);
  act(instruction.destinationTag);
  assert.deepEqual((await world.observe()).map(String), []);
  await world.settle();
  assert.deepEqual(await world.brokenInvariants(), []);
  return (await world.credited()) - before;
}

describe('what is credited', () => {
  test('a payment, with and without paths, and what a partial one delivered', async () => {
    assert.equal(await creditedOf((tag) => world.pay({ drops: DROPS, tag })), DROPS);
    const thief = seededXrplKey(3);
    const USD = { currency: 'USD', issuer: thief.address, value: '9' };
    const bought = { fields: { SendMax: USD } };
    assert.equal(await creditedOf((tag) => world.pay({ drops: DROPS, tag, ...bought })), DROPS);
    const part = {
      fields: { Flags: 0x0002_0000, Amount: '999999999', SendMax: USD },
      stated: `${DROPS}`,
      delivered: `${DROPS}`,
    };
    assert.equal(await creditedOf((tag) => world.pay({ drops: DROPS, tag, ...part })), DROPS);
  });

  test('two of one ledger, listed in the wrong order, page by page', async () => {
    world.server.pageSize = 1;
    world.server.tamper = ({ command }, result) =>
      command === 'account_tx' && Array.isArray(result.transactions)
        ? { ...result, transactions: result.transactions.toReversed() }
        : result;
    const pay = (tag: bigint, drops: bigint) =>
      world.xrpl.pay({ from: world.customer, to: world.account, drops, tag });
    const credited = await creditedOf((tag) => {
      pay(tag, 5_000_000n);
      world.pay({ drops: DROPS - 5_000_000n, tag });
    });
    assert.equal(credited, DROPS);
    world.server.pageSize = 200;
    const whole = await creditedOf((tag) => {
      pay(tag, 5_000_000n);
      world.pay({ drops: DROPS - 5_000_000n, tag });
    });
    assert.equal(whole, DROPS);
  });

  test('listings that are longer than is read are asked for in smaller pages', async () => {
    const { xrpl, customer, account, server } = world;
    const own = { fields: { Memos: [{ Memo: { MemoData: 'AB'.repeat(15_000) } }] } };
    const credited = await creditedOf((tag) => {
      for (let count = 0; count < 120; count += 1) {
        xrpl.pay({ from: customer, to: account, drops: 1n, tag: 7n, ...own });
      }
      world.pay({ drops: DROPS, tag, ...own });
    });
    assert.equal(credited, DROPS);
    const limits = server.asked.flatMap(({ command, limit }) =>
      command === 'account_tx' ? [Number(limit)] : [],
    );
    assert(limits.includes(200) && limits.includes(100) && limits.includes(50), `${limits}`);
    // What was asked beside it goes on.
    assert.equal(network.health().lastError, undefined);
  });

  for (const [name, where] of [
    ['rippled writes it, in front', 'front'],
    ['Clio writes it, behind', 'end'],
  ] as const) {
    test(`an answer that is too long is told by its number as ${name}`, async () => {
      const { server } = world;
      server.tamperText = ({ command, id }, text) => {
        if (command !== 'account_tx') return text;
        const filler = `"result":{"filler":"${' \\"id\\":1,'.repeat(400_000)}"}`;
        return where === 'front' ? `{"id":${id},${filler}}` : `{${filler},"id":${id}}`;
      };
      const asked = openXrplServer({ what: 'test', url: server.url, mostAnswerBytes: 2 ** 21 });
      const [long, other] = await Promise.allSettled([
        asked.ask('account_tx', { account: world.account }),
        asked.ask('account_info', { account: world.account, ledger_index: 'validated' }),
      ]);
      assert(long.status === 'rejected' && long.reason instanceof AnswerTooLong);
      assert.equal(other.status, 'fulfilled');
      asked.close();
    });
  }

  test('beside a payment with a field of a kind that is not known yet', async () => {
    const { xrpl, customer, account } = world;
    const suspended = await world.suspended();
    const credited = await creditedOf((tag) => {
      // Type 13 has no meaning so far.
      xrpl.pay({ from: customer, to: account, drops: 5n, tag, newFields: 'D1AABB' });
      world.pay({ drops: DROPS, tag });
      // In the metadata it hides nothing but what a partial payment delivered.
      xrpl.pay({ from: customer, to: account, drops: 3n, tag, newMeta: 'D1AABB' });
      const part = { Flags: 0x0002_0000, Amount: '999' };
      const odd = { stated: '2', delivered: '2', newMeta: 'D1AABB', fields: part };
      world.pay({ drops: 2n, tag, ...odd });
    });
    assert.equal(credited, DROPS + 3n);
    assert.equal((await world.suspended()) - suspended, 7n);
    const held = await listSuspense(world.app, { isOpen: true }, 2);
    const remark = 'it has a field of type 13, which needs a newer version of this';
    assert.deepEqual(
      held.map((one) => suspenseView(one).detail),
      [remark, remark],
    );
  });

  test('beside fees, threads and payments of our own', async () => {
    const { xrpl, key, account, customer } = world;
    const credited = await creditedOf((tag) => {
      xrpl.send({ from: key, fields: { TransactionType: 'AccountSet', SetFlag: 1 } });
      world.pay({ drops: DROPS, tag });
      xrpl.pay({ from: key, to: customer.address, drops: 1_000n });
      xrpl.send({
        from: customer,
        fields: { TransactionType: 'CheckCreate', Destination: account, SendMax: '5' },
        threads: [account],
      });
      xrpl.close();
    });
    assert.equal(credited, DROPS);
    const { cursor } = await readPosition(world.app.db, 'live:XRP_LEDGER');
    assert(cursor !== undefined);
    const holdings = await network.holdings?.(1n, cursor);
    assert.equal(holdings?.units.get(XRP), xrpl.roots.get(account)?.balance);
  });

  test('what was paid over hundreds of ledgers that nobody looked at', async () => {
    const credited = await creditedOf((tag) => {
      for (let ledger = 0; ledger < 100; ledger += 1) world.xrpl.close();
      world.pay({ drops: DROPS, tag });
      for (let ledger = 0; ledger < 100; ledger += 1) world.xrpl.close();
    });
    assert.equal(credited, DROPS);
    const asked = world.server.asked.filter(({ command }) => command === 'ledger').length;
    assert(asked < 250, `${asked} questions for 200 ledgers`);
  });

  test('what a server hid, together with the account, once it hides it no longer', async () => {
    const { instruction } = await world.createAndCommit('XRP_LEDGER', XRP, DROPS);
    await recordWhileHidden(instruction.destinationTag);
    assert.deepEqual((await world.observe()).map(String), []);
    await world.settle();
    assert.equal(await world.credited(), DROPS);
    assert.deepEqual(await world.brokenInvariants(), []);
  });

  test('what a server hid until ours was killed, and nothing else twice', async () => {
    assert.equal(await creditedOf((tag) => world.pay({ drops: DROPS, tag })), DROPS);
    const hidden = await recordWhileHidden(7n);
    const [opened] = open([world.server.url]);
    assert(opened !== undefined);
    const [cursor] = await world.app.db.query<{ height: bigint; hash: string }>(
      sql`select height, hash from chain_cursor where chain = 'live:XRP_LEDGER'`,
    );
    world.xrpl.close();
    const { blocks } = await opened.observe({ cursor, recent: [], unconfirmed: [] });
    assert.deepEqual(
      blocks.flatMap(({ arrivals }) => arrivals.map(({ creditKey }) => creditKey)),
      [hidden],
    );
    await opened.close();
  });
});

/** A payment that is in no answer while its ledger is recorded. Gives its hash. */
async function recordWhileHidden(tag: bigint | undefined): Promise<string> {
  const { server, account, xrpl } = world;
  const before = xrpl.ledgers.at(-1)?.roots.get(account);
  assert(before !== undefined);
  const credited = await world.credited();
  const hash = world.pay({ drops: DROPS, tag });
  server.hidden.add(hash);
  server.tamper = ({ command }, result) => {
    if (command !== 'account_info') return result;
    const thread = { PreviousTxnID: before.last?.hash, PreviousTxnLgrSeq: before.last?.ledger };
    const data = { ...(result.account_data as object), ...thread, Balance: `${before.balance}` };
    return { ...result, account_data: data };
  };
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal(await world.credited(), credited);
  server.hidden.clear();
  server.tamper = (_, result) => result;
  return hash;
}

describe('an account', () => {
  test('that does not exist yet receives nothing, and its first payment is noticed', async () => {
    const { xrpl, account } = world;
    xrpl.roots.delete(account);
    xrpl.close();
    const [opened] = open([world.server.url]);
    assert(opened !== undefined);
    await opened.checkIdentity();
    assert.deepEqual(opened.receivableAssets(), []);
    assert.match(String(opened.health().advice), /does not exist yet/);
    const first = await opened.observe({ cursor: undefined, recent: [], unconfirmed: [] });
    world.pay({ drops: DROPS, tag: 7n });
    const position = { cursor: first.tip, recent: [], unconfirmed: [] };
    const { blocks } = await opened.observe(position);
    const arrivals = blocks.flatMap((block) => block.arrivals);
    assert.deepEqual(
      arrivals.map(({ destination, units }) => [destination, units]),
      [[`${account}:7`, DROPS]],
    );
    assert.deepEqual(opened.receivableAssets(), [XRP]);
    await opened.close();
  });

  for (const [name, flags, isReceivable, advice] of [
    ['that is well', 0x0002_0000, true, /^$/],
    ['that does not ask for tags', 0, true, /set asfRequireDest/],
    ['that takes deposits from friends only', 0x0102_0000, false, /asfDepositAuth/],
    ['that wants no XRP', 0x000a_0000, false, /asfDisallowXRP/],
  ] as const) {
    test(`${name} is ${isReceivable ? '' : 'not '}offered`, async () => {
      const root = world.xrpl.roots.get(world.account);
      assert(root !== undefined);
      root.flags = flags;
      world.xrpl.close();
      assert.deepEqual(await world.observe(), []);
      assert.deepEqual(network.receivableAssets(), isReceivable ? [XRP] : []);
      assert.match(String(network.health().advice), advice);
    });
  }

  test('that is deleted and funded again is followed all the way', async () => {
    const { xrpl, key, account, customer } = world;
    const held = xrpl.roots.get(account)?.balance ?? 0n;
    xrpl.send({
      from: key,
      fee: 200_000n,
      fields: { TransactionType: 'AccountDelete', Destination: customer.address },
      moves: { [account]: 200_000n - held, [customer.address]: held - 200_000n },
      deletes: account,
    });
    xrpl.close();
    assert.deepEqual((await world.observe()).map(String), []);
    assert.deepEqual(network.receivableAssets(), []);
    world.pay({ drops: 20_000_000n });
    assert.deepEqual((await world.observe()).map(String), []);
    assert.equal(await creditedOf((tag) => world.pay({ drops: DROPS, tag })), DROPS);
  });
});

test('addresses are known with and without a tag, of the right network only', () => {
  assert.equal(network.canonicalAddress(world.account), world.account);
  assert.equal(
    network.canonicalAddress('X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A'),
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59:11747',
  );
  assert.equal(
    network.canonicalAddress('X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ'),
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
  );
  assert.equal(
    network.canonicalAddress('T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ'),
    undefined,
    'an X-address of the test network',
  );
});

function open(urls: string[]): Network[] {
  const { db } = world.app;
  const settings = { urls, account: world.account, chainName: 'main' as const };
  const parts = { db, clock: world.time, log: silentLog };
  return openXrplNetworks(settings, parts).map((opened) => opened.network);
}

describe('a server', () => {
  test('that is away is followed by the next, and never named with its key', async () => {
    const url = new URL(world.server.url);
    url.username = 'shop';
    url.password = 'secret-key';
    const [opened] = open(['ws://user:secret-key@127.0.0.1:9/secret-key', url.href]);
    assert(opened !== undefined);
    const failure = await opened.checkIdentity().catch((error: unknown) => error);
    assert(failure instanceof Outage);
    await opened.checkIdentity();
    const { description, lastError } = opened.health();
    for (const text of [String(failure), String(failure.cause), description, String(lastError)]) {
      assert(!text.includes('secret-key'), text);
    }
    await opened.close();
  });

  test('of another network is refused although it comes second', async () => {
    const other = await openXrplWorld();
    other.server.networkId = 1;
    const [opened] = open([world.server.url, other.server.url]);
    assert(opened !== undefined);
    await assert.rejects(opened.checkIdentity(), (error) => error instanceof Refusal);
    await opened.close();
    await other.close();
  });

  test('that does not answer in time fails, and so does everything asked beside it', async () => {
    world.server.isSilent = ({ command }) => command === 'account_info';
    const server = openXrplServer({ what: 'test', url: world.server.url, timeoutMs: 2_000 });
    const [one, other] = await Promise.allSettled([
      server.ask('account_info', { account: world.account, ledger_index: 'validated' }),
      server.ask('ledger', { ledger_index: 'validated' }),
    ]);
    assert.equal(one.status, 'rejected');
    assert.equal(other.status, 'fulfilled');
    world.server.isSilent = () => false;
    assert(await server.ask('server_info'));
    server.close();
  });

  test('that answers what nobody asked is not heard', async () => {
    const server = openXrplServer({ what: 'test', url: world.server.url, timeoutMs: 2_000 });
    world.server.tamperText = (_, text) => [
      JSON.stringify({ type: 'response', status: 'success', id: 999, result: { info: 'a lie' } }),
      JSON.stringify({ type: 'response', status: 'success', id: '1', result: { info: 'a lie' } }),
      JSON.stringify({ type: 'transaction', status: 'success', id: 1, result: { info: 'a lie' } }),
      text,
    ];
    const answer = await server.ask('server_info');
    assert.notEqual(answer?.info, 'a lie');
    server.close();
    await assert.rejects(server.ask('server_info'), Outage);
  });
});

test('a restart goes on where the account was last agreed on', async () => {
  const paid = await creditedOf((tag) => world.pay({ drops: DROPS, tag }));
  assert.equal(paid, DROPS);
  assert.deepEqual(await world.observe(), []);
  const rows = await world.app.db.query<{ ledger: bigint; drops: bigint }>(
    sql`select ledger, drops from xrpl_account`,
  );
  assert.equal(rows[0]?.drops, world.xrpl.roots.get(world.account)?.balance);
  // Another process looks: what was paid meanwhile leads from there to what is held now.
  const [opened] = open([world.server.url]);
  assert(opened !== undefined);
  const [cursor] = await world.app.db.query<{ height: bigint; hash: string }>(
    sql`select height, hash from chain_cursor where chain = 'live:XRP_LEDGER'`,
  );
  world.pay({ drops: 5n, tag: 7n });
  const { blocks } = await opened.observe({ cursor, recent: [], unconfirmed: [] });
  assert.equal(blocks.flatMap(({ arrivals }) => arrivals).length, 1);
  await opened.close();
});

async function readCursor() {
  const [cursor] = await world.app.db.query<{ height: bigint; hash: string }>(
    sql`select height, hash from chain_cursor where chain = 'live:XRP_LEDGER'`,
  );
  return cursor;
}

test('a restart before that was kept gives nothing that is recorded again', async () => {
  assert.equal(await creditedOf((tag) => world.pay({ drops: DROPS, tag })), DROPS);
  const [opened] = open([world.server.url]);
  assert(opened !== undefined);
  world.xrpl.close();
  const position = { cursor: await readCursor(), recent: [], unconfirmed: [] };
  const { blocks } = await opened.observe(position);
  assert(blocks.length > 0);
  assert.deepEqual(
    blocks.flatMap(({ arrivals }) => arrivals),
    [],
  );
  await opened.close();
});

test('a whole history that is another one is not followed', async () => {
  const other = await openXrplWorld();
  // Everything in it fits together, and the account is the same.
  for (let ledger = 0; ledger < 10; ledger += 1) other.xrpl.close();
  const [opened] = open([other.server.url]);
  assert(opened !== undefined);
  const cursor = await readCursor();
  assert(cursor !== undefined);
  const forked = { cursor: { ...cursor, hash: 'AB'.repeat(32) }, recent: [], unconfirmed: [] };
  const failure = await opened.observe(forked).catch((error: unknown) => error);
  assert(failure instanceof Outage);
  assert.match(String(failure.cause), /another history/);
  await opened.close();
  await other.close();
});

test('an account that holds this, then that, is not where anything begins', async () => {
  const [opened] = open([world.server.url]);
  assert(opened !== undefined);
  let asked = 0;
  world.server.tamper = ({ command }, result) => {
    if (command !== 'account_info') return result;
    asked += 1;
    const data = { ...(result.account_data as object), Balance: `${1_000_000 + asked}` };
    return { ...result, account_data: data };
  };
  const first = { cursor: undefined, recent: [], unconfirmed: [] };
  const failure = await opened.observe(first).catch((error: unknown) => error);
  assert(failure instanceof Outage);
  assert.match(String(failure.cause), /the account holds this, then that/);
  await opened.close();
});

test('a second server that shows another account is named, and not the first for a liar', async () => {
  const two = await openXrplWorld({ withSecond: true });
  try {
    assert.deepEqual(await two.observe(), []);
    two.pay({ drops: DROPS, tag: 7n });
    assert(two.second !== undefined);
    two.second.tamper = ({ command }, result) => {
      if (command !== 'account_info') return result;
      return { ...result, account_data: { ...(result.account_data as object), Balance: '5' } };
    };
    const [failure] = await two.observe();
    const { host } = new URL(two.second.url);
    assert.match(String(failure?.cause), new RegExp(`${host} says otherwise: the account is not`));
  } finally {
    await two.close();
  }
});

test('a payment that no second server can be asked about is credited to nobody, until one can', async () => {
  const two = await openXrplWorld({ withSecond: true });
  try {
    assert.deepEqual(await two.observe(), []);
    const { instruction } = await two.createAndCommit('XRP_LEDGER', XRP, DROPS);
    two.pay({ drops: DROPS, tag: instruction.destinationTag });
    assert(two.second !== undefined);
    two.second.refuse = () => 'tooBusy';
    const [failure] = await two.observe();
    assert.match(String(failure?.cause), /no second server can be asked about a payment/);
    await two.settle();
    assert.equal(await two.credited(), 0n);
    two.second.refuse = () => undefined;
    assert.deepEqual(await two.observe(), []);
    await two.settle();
    assert.equal(await two.credited(), DROPS);
  } finally {
    await two.close();
  }
});

test('a server that is of another network from one look to the next is not read', async () => {
  const [opened] = open([world.server.url]);
  assert(opened !== undefined);
  const position = { cursor: await readCursor(), recent: [], unconfirmed: [] };
  await opened.observe(position);
  world.server.networkId = 1;
  await assert.rejects(opened.observe(position), (error) => error instanceof Refusal);
  await assert.rejects(opened.checkIdentity(), (error) => error instanceof Refusal);
  world.server.networkId = 0;
  world.server.serverState = 'syncing';
  await assert.rejects(
    opened.observe(position),
    /still catching up .*server_state syncing, ledgers \d.*nothing is to be done but wait$/,
  );
  world.server.serverState = 'disconnected';
  await assert.rejects(opened.observe(position), /does not follow the network \(server_state\)$/);
  await opened.close();
});
