// Money that a person sends from the one account that everybody pays to: what the ledger holds is
// recognised or shown, and the books stay what the account holds.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from '#db/db.ts';
import { waitUntil } from '#test/support/shop.ts';
import type { LedgerShop } from './ledger-crash-stories.ts';

export type HandShop = LedgerShop & {
  /** From our account, in a ledger of its own. Gives the hash. */
  sendOut(sent: { readonly amount: string; readonly memo: string }): string;
  /** What moves money of ours and is no payment: gives the amount and the type that are shown. */
  sendOddly(): { readonly amount: string; readonly type: string };
  /** A transaction of ours that does nothing, and is charged all the same. Gives the hash. */
  fail(): string;
  /** As a wallet with the key of our account signs what was drafted. */
  sign(drafted: HandDraft): string;
  /** What it signs that is not the draft, each with the sentence that tells it. */
  forge(drafted: HandDraft): readonly (readonly [text: string, sentence: RegExp])[];
  /** What the account holds more than at first. */
  received(): bigint;
};

/** `draft` of the command line. */
export type HandDraft = {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>> | null;
  readonly links: readonly string[];
  readonly until: string | null;
};

export type HandLedger = {
  readonly code: string;
  /** Of a refund: who is paid, and the memo or tag. */
  readonly receiver: string;
  readonly memo: string;
  readonly account: object;
  readonly link: string;
  /** The beginning of the first link of a draft. */
  readonly draftLink: string;
  readonly custody: (shop: HandShop) => Promise<bigint>;
  /** What the network takes for `sendOut`, in units of the asset. */
  readonly feeUnits: bigint;
};

type Part = {
  readonly id: string;
  readonly amount: string;
  readonly destination: string;
  readonly purpose: string | null;
};
type Left = { readonly transaction: string; readonly parts: readonly Part[] };

export function tellByHandStories(shopNow: () => HandShop, on: HandLedger): void {
  test('a refund is told, sent by a person, seen, completed and booked to the unit', async () => {
    const shop = shopNow();
    await allowHere(shop);
    const id = await refund(shop, on);
    const { json } = await shop.server.command('send', 'show', id, '--json');
    const { send, account, link } = (json as { sending: Record<string, unknown> }).sending;
    assert.deepEqual(
      { send, account, link },
      { send: `2 ${on.code}`, account: on.account, link: on.link },
    );
    const transaction = shop.sendOut({ amount: '2', memo: on.memo });
    await waitForEnd(shop, id);
    const [row] = await shop.server.db.query(sql`
      select state, transaction, fee_taken_units::text as fee from transfer where id = ${id}`);
    assert.deepEqual(row, { state: 'COMPLETED', transaction, fee: `${on.feeUnits}` });
    assert.deepEqual(await shown(shop), []);
    await checkCustody(shop, on);
    await shop.checkBooks();
  });

  test('a drafted payment comes back signed, is sent by us, seen and booked; nothing else is', async () => {
    const shop = shopNow();
    const id = await refund(shop, on);
    assert.match((await sendSigned(shop, id, 'aa')).stderr, /nothing was drafted for it/);
    const answer = await shop.server.command('send', 'draft', id, '--json');
    assert('draft' in answer.json, answer.stderr);
    const { draft } = answer.json as unknown as { draft: HandDraft };
    assert.equal(draft.links[0]?.slice(0, on.draftLink.length), on.draftLink);
    assert.notEqual(draft.until, null);
    const good = shop.sign(draft);
    const refused = [
      ...shop.forge(draft),
      [draft.text, /it is not signed yet/],
      [good.slice(0, -4), /no whole|it must be|in the one spelling/],
      ['garbage!', /it must be a signed/],
    ] as const;
    for (const [text, sentence] of refused) {
      const { exitCode, stderr } = await sendSigned(shop, id, text);
      assert.equal(exitCode, 1, text);
      assert.match(stderr, sentence);
    }
    const kept = sql`select 1 from attempt where transfer_ids @> array[${id}] and signed_at is not null`;
    assert.deepEqual(await shop.server.db.query(kept), []);
    const sent = await sendSigned(shop, id, good);
    assert.equal(sent.exitCode, 0, sent.stderr);
    const { transaction } = sent.json as { transaction: string };
    assert.equal((await sendSigned(shop, id, good)).json.transaction, transaction);
    await waitForEnd(shop, id);
    const again = await shop.server.command('send', 'signed', id, '--json');
    assert.equal(again.json.transaction, transaction);
    const [row] = await shop.server.db.query(sql`
      select state, transaction, fee_taken_units::text as fee from transfer where id = ${id}`);
    assert.deepEqual(row, { state: 'COMPLETED', transaction, fee: `${on.feeUnits}` });
    assert.deepEqual(await shown(shop), []);
    await checkCustody(shop, on);
    await shop.checkBooks();
  });

  test('a transaction of ours that failed cost its fee, and that is booked', async () => {
    const shop = shopNow();
    shop.fail();
    await checkCustody(shop, on);
    assert.deepEqual(await shown(shop), []);
    await shop.checkBooks();
  });

  test('a sending with another memo is not recognised, and is shown until it is explained', async () => {
    const shop = shopNow();
    const id = await refund(shop, on);
    await shop.server.command('send', 'show', id, '--json');
    const transaction = shop.sendOut({ amount: '2', memo: '999' });
    const part = await waitForShown(shop, transaction);
    assert.match(part.destination, new RegExp(`^${on.receiver}:.*999$`));
    assert.equal(part.amount, `2 ${on.code}`);
    assert.equal(await stateOf(shop, id), 'TO_SEND');
    await explain(shop, part.id);
    await checkCustody(shop, on);
    shop.sendOut({ amount: '2', memo: on.memo });
    await waitForEnd(shop, id);
    await checkCustody(shop, on);
  });

  test('what is no payment is shown under the name of its type, and stops nothing', async () => {
    const shop = shopNow();
    const { amount, type } = shop.sendOddly();
    const part = await waitForShown(shop);
    assert.deepEqual([part.amount, part.destination, part.purpose], [amount, type, null]);
    const committed = await shop.open('5');
    shop.pay(committed, '5');
    await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
    await explain(shop, part.id);
    await checkCustody(shop, on);
    const { json } = await shop.server.command('ledger', 'verify', '--json');
    assert.deepEqual(json.faults, []);
  });
}

async function allowHere({ server }: HandShop): Promise<void> {
  const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
  const { exitCode, stderr } = await server.command('allow-list', 'add', ...here);
  assert.equal(exitCode, 0, stderr);
}

/** Paid 5, and 2 of it given back. Gives the transfer that waits. */
async function refund(shop: HandShop, { receiver, memo }: HandLedger): Promise<string> {
  const committed = await shop.open('5');
  const { checkoutId } = committed;
  shop.pay(committed, '5');
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  const asked = { checkoutId, kind: 'amount', amount: '2' };
  type Made = { readonly refund: { readonly claimUrl: string } };
  const made = await shop.client.post<Made>('/refund', asked);
  // The payer says where to, on the page of the refund.
  const claimed = await fetch(made.refund.claimUrl, {
    method: 'POST',
    body: new URLSearchParams({ step: 'send', address: receiver, memo, memoType: 'text' }),
    redirect: 'manual',
  });
  assert.equal(claimed.status, 303, await claimed.text());
  let id = '';
  await waitUntil('a refund to wait for a person', async () => {
    const { json } = await shop.server.command('send', 'list', '--json');
    const { transfers } = json as unknown as { transfers: { id: string; state: string }[] };
    id = transfers.find(({ state }) => state === 'TO_SEND')?.id ?? '';
    return id !== '';
  });
  return id;
}

/** `send signed`, with this in the file. */
async function sendSigned({ server }: HandShop, id: string, text: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'signed-')), 'transaction');
  await writeFile(file, text);
  return server.command('send', 'signed', id, file, '--json');
}

async function stateOf({ server }: HandShop, id: string): Promise<string | undefined> {
  const rows = await server.db.query<{ state: string }>(
    sql`select state from transfer where id = ${id}`,
  );
  return rows[0]?.state;
}

function waitForEnd(shop: HandShop, id: string): Promise<void> {
  return waitUntil('the refund to be completed', async () => {
    return (await stateOf(shop, id)) === 'COMPLETED';
  });
}

/** `custody list`: what left and is not explained. */
async function shown({ server }: HandShop): Promise<readonly Left[]> {
  const { json } = await server.command('custody', 'list', '--json');
  return (json as unknown as { departures: Left[] }).departures;
}

async function waitForShown(shop: HandShop, transaction?: string): Promise<Part> {
  let part: Part | undefined;
  await waitUntil('what left to be shown', async () => {
    const left = (await shown(shop)).filter(
      (one) => transaction === undefined || one.transaction === transaction,
    );
    part = left[0]?.parts.find(({ purpose }) => purpose === null);
    return part !== undefined;
  });
  assert(part !== undefined);
  return part;
}

async function explain({ server }: HandShop, id: string): Promise<void> {
  const said = ['--as', 'outside', '--reason', 'sent by hand'];
  const { exitCode, stderr } = await server.command('custody', 'explain', id, ...said);
  assert.equal(exitCode, 0, stderr);
}

async function checkCustody(shop: HandShop, on: HandLedger): Promise<void> {
  await shop.waitForTip();
  await waitUntil('custody to be what the account holds', async () => {
    return (await on.custody(shop)) === shop.received();
  });
}
