// Lightning addresses on nodes that hash descriptions (LND, Core Lightning), with a live key: what a
// wallet asks, what the node is asked, and what is credited; and why Electrum has none.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { decode } from 'light-bolt11-decoder';
import { createLightningAddressAnswer } from '#api/lightning-address-answer.ts';
import { Refusal } from '#base/refusal.ts';
import { listUnpaid } from '#chain/receipt.ts';
import { sql } from '#db/db.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { openLightningNetworks } from '#networks/lightning/open-lightning-networks.ts';
import { searchedSince } from '#networks/lightning/settlement-block.ts';
import { encodeInvoice } from '#networks/sandbox/bolt11.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { type FakeLightningNode, openFakeLightningNode } from './lightning-node.ts';

const ORIGIN = 'https://pay.example';
const REQUEST = { network: 'LIGHTNING', assetId: undefined, label: undefined, webhook: undefined };

async function openWorld(kind: FakeLightningNode['kind']) {
  const clock = manualClock('2026-01-01T12:00:00Z');
  const node = await openFakeLightningNode(kind, clock);
  const networks = openLightningNetworks.bind(undefined, [node.settings]);
  const world = await openForgedWorld({ networks, clock });
  await world.observe();
  const app = { ...world.app, publicUrl: ORIGIN };
  const open = () => createDepositAddress(app, world.caller, { ...REQUEST, metaText: undefined });
  return { clock, node, world, app, open };
}

for (const kind of ['lnd', 'core-lightning'] as const) {
  describe(`Lightning addresses over ${kind}`, () => {
    let clock: ManualClock;
    let node: FakeLightningNode;
    let world: ForgedWorld;
    let opened: Awaited<ReturnType<typeof openWorld>>;
    let answer: ReturnType<typeof createLightningAddressAnswer>;
    let id: string;

    before(async () => {
      opened = await openWorld(kind);
      ({ clock, node, world } = opened);
      answer = createLightningAddressAnswer(opened.app, { perKey: 0, perAddress: 0 });
      ({ id } = await opened.open());
      await look();
    });
    after(async () => {
      await world?.close();
      await node?.close();
    });

    async function ask(rest = '') {
      const request = new Request(`${ORIGIN}/.well-known/lnurlp/${id}${rest}`);
      const response = await answer(request, '192.0.2.1');
      return { status: response.status, json: (await response.json()) as Record<string, unknown> };
    }

    async function invoice(millisatoshis: bigint): Promise<{ text: string; hash: string }> {
      const { status, json } = await ask(`/callback?amount=${millisatoshis}`);
      assert.equal(status, 200, JSON.stringify(json));
      const text = String(json.pr);
      return { text, hash: String(section(text, 'payment_hash')) };
    }

    function section(text: string, name: string): unknown {
      const found = decode(text).sections.find((one) => one.name === name);
      return found !== undefined && 'value' in found ? found.value : undefined;
    }

    async function look(): Promise<void> {
      assert.deepEqual(await world.observe(), []);
      await world.settle();
    }

    async function watched(): Promise<number> {
      const [cursor] = await world.app.db.query<{ height: bigint; hash: string }>(sql`
        select height, hash from chain_cursor where chain = 'live:LIGHTNING'`);
      assert(cursor !== undefined);
      const since = searchedSince(cursor);
      assert(since !== undefined);
      return (await listUnpaid(world.app.db, 'live:LIGHTNING', since)).length;
    }

    test('what may be sent is what the node can receive', async () => {
      node.channels = [5000n, 3000n];
      await clock.advance(61_000);
      const { json } = await ask();
      assert.equal(json.minSendable, 1000);
      assert.equal(json.maxSendable, 5_000_000);
      const { status, json: refused } = await ask('/callback?amount=5001000');
      assert.equal(status, 400);
      assert.match(String(refused.reason), /from 1000 to 5000000 millisatoshi/);
      node.channels = [];
      await clock.advance(61_000);
      assert.equal((await ask()).status, 503);
      node.channels = [100_000_000n];
      await clock.advance(61_000);
    });

    test('the node puts the hash of the metadata into the invoice', async () => {
      const { json } = await ask();
      const { text } = await invoice(21_000n);
      const hash = createHash('sha256').update(String(json.metadata), 'utf8').digest('hex');
      assert.equal(section(text, 'description_hash'), hash);
      assert.equal(section(text, 'amount'), '21000');
      assert.equal(decode(text).expiry, 600);
    });

    test('each payment is credited once, what arrived', async () => {
      const had = await world.credited();
      const made = [await invoice(1000n), await invoice(2_000_000n), await invoice(2_000_000n)];
      await invoice(9_000_000n);
      for (const { hash } of made) node.pay(hash);
      await look();
      await look();
      assert.equal((await world.credited()) - had, 1n + 2000n + 2000n);
      assert.deepEqual(await world.brokenInvariants(), []);
    });

    test('an invoice that was paid while nobody looked for hours is credited', async () => {
      const had = await world.credited();
      const { hash } = await invoice(3_000_000n);
      node.pay(hash);
      node.isDown = true;
      await clock.advance(5 * 60 * 60_000);
      assert.equal((await world.observe()).length, 1);
      node.isDown = false;
      await look();
      assert.equal((await world.credited()) - had, 3000n);
    });

    test('HTLCs accepted before the end and settled long after it are credited', async () => {
      const had = await world.credited();
      const { hash } = await invoice(4_000_000n);
      if (kind === 'lnd') node.hold(hash);
      await look();
      if (kind === 'lnd') await clock.advance(60 * 60_000);
      await look();
      node.pay(hash);
      await look();
      assert.equal((await world.credited()) - had, 4000n);
    });

    test('invoices that nobody paid are looked for no longer than they can be paid', async () => {
      for (let made = 0; made < 120; made += 1) await invoice(1000n);
      await look();
      assert.ok((await watched()) >= 120);
      await clock.advance(30 * 60_000);
      const had = await world.credited();
      await look();
      await look();
      assert.ok((await watched()) <= 100, `${await watched()} are looked for`);
      assert.equal(await world.credited(), had);
      // And what comes afterwards is found as before.
      const { hash } = await invoice(6_000_000n);
      node.pay(hash);
      await look();
      assert.equal((await world.credited()) - had, 6000n);
      assert.deepEqual(await world.brokenInvariants(), []);
    });

    const FORGERIES: { name: string; source: string; act: () => Promise<string> }[] = [
      {
        name: 'an invoice of another program on the node, for the same metadata',
        source: 'R1: matched by payment hash only',
        async act() {
          const { json } = await ask();
          const twin = node.addForeign(7000n);
          node.invoices[node.invoices.indexOf(twin)] = { ...twin, memo: String(json.metadata) };
          return twin.paymentHash;
        },
      },
      {
        name: 'an invoice whose making was answered to nobody',
        source: 'I3: only what was recorded was handed out',
        async act() {
          const calls = ['POST /v1/invoices', 'invoice'];
          node.change = (method, reply) => (calls.includes(method) ? {} : reply);
          assert.equal((await ask('/callback?amount=7000000')).status, 503);
          node.change = undefined;
          const made = node.invoices.at(-1);
          assert.equal(made?.millisatoshis, 7_000_000n);
          return made.paymentHash;
        },
      },
      {
        name: 'HTLCs that are accepted and then cancelled',
        source: 'A11, LND CancelInvoice',
        async act() {
          const { hash } = await invoice(7_000_000n);
          node.hold(hash);
          await look();
          node.cancel(hash);
          return '';
        },
      },
    ];
    for (const { name, source, act } of FORGERIES) {
      test(`nothing is credited for ${name} (${source})`, async () => {
        const had = await world.credited();
        const hash = await act();
        if (hash !== '') node.pay(hash);
        await look();
        assert.equal(await world.credited(), had);
        const honest = await invoice(8_000_000n);
        node.pay(honest.hash);
        await look();
        assert.equal((await world.credited()) - had, 8000n);
      });
    }

    test('an invoice with another description is shown to nobody', async () => {
      const recorded = async () => {
        const [row] = await world.app.db.query<{ count: bigint }>(
          sql`select count(*) as count from deposit_instruction`,
        );
        return row?.count;
      };
      const had = await recorded();
      const lies = [
        { description: 'Payment to somebody else' },
        { descriptionHash: '00'.repeat(32), description: '' },
      ];
      for (const lie of lies) {
        node.change = (_method, reply) => {
          const row = reply as Record<string, unknown>;
          const made = node.invoices.at(-1);
          if (made === undefined || (row.bolt11 ?? row.payment_request) !== made.text) return reply;
          const text = encodeInvoice(
            {
              prefix: 'bcrt',
              units: made.millisatoshis / 1000n,
              createdAt: made.createdAt,
              expirySeconds: 600,
              paymentHash: Uint8Array.fromHex(made.paymentHash),
              paymentSecret: new Uint8Array(32).fill(7),
              ...lie,
            },
            new Uint8Array(createHash('sha256').update('fake lightning node').digest()),
          );
          return { ...row, payment_request: text, bolt11: text };
        };
        const { status, json } = await ask('/callback?amount=1000');
        node.change = undefined;
        assert.equal(status, 503);
        const reason = 'payments cannot be received at the moment: try again later';
        assert.deepEqual(json, { status: 'ERROR', reason });
      }
      assert.equal(await recorded(), had);
    });

    test('while the node is away a wallet is told so, and nothing of the node', async () => {
      node.isDown = true;
      const { status, json } = await ask('/callback?amount=1000');
      node.isDown = false;
      assert.equal(status, 503);
      const reason = 'payments cannot be received at the moment: try again later';
      assert.deepEqual(json, { status: 'ERROR', reason });
    });
  });
}

test('Electrum makes no invoices with a hash: no address, and everybody is told why', async () => {
  const { world, node, open } = await openWorld('electrum');
  try {
    await assert.rejects(open(), (error: unknown) => {
      assert(error instanceof Refusal);
      assert.equal(error.code, 'network_without_addresses');
      assert.match(error.message, /LUD-06/);
      return true;
    });
    const [network] = world.app.networks.values();
    assert.match(network?.health().advice?.join() ?? '', /^no Lightning addresses: .*LND/);
  } finally {
    await world.close();
    await node.close();
  }
});
