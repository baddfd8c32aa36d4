// A refund to a payer without a trust line, over HTTP: left on Stellar to be claimed, told with its
// balance, and taken back not before its time.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Keypair, type Transaction, TransactionBuilder } from '@stellar/stellar-base';
import { seededKey, USDC } from '#test/fakes/stellar-world.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openStellarShop, type StellarShop } from './stellar-shop.ts';

const payer = seededKey(40);
let shop: StellarShop;
before(async () => {
  shop = await openStellarShop({ STELLAR_CLAIMABLE_BALANCES: 'on' });
  shop.stellar.addAccount(payer);
});
after(() => shop?.close());

type Refund = {
  readonly id: string;
  readonly state: string;
  readonly claimUrl: string;
  readonly claimableBalance: { readonly id: string; readonly reclaimableFrom: string } | null;
};

async function command(...words: readonly string[]) {
  const { json, stderr, exitCode } = await shop.server.command(...words, '--json');
  return { json: json as Record<string, unknown>, stderr, exitCode };
}

function sign(text: string): string {
  const from = shop.stellar.accounts.get(shop.account)?.key as Keypair;
  const transaction = TransactionBuilder.fromXDR(text, shop.stellar.passphrase) as Transaction;
  transaction.sign(from);
  return transaction.toEnvelope().toXDR('base64');
}

async function fileOf(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'signed-')), 'transaction');
  await writeFile(file, text);
  return file;
}

test('a refund is left to be claimed, its balance is told, and it cannot be taken back too soon', async () => {
  await command('allow-list', 'add', '127.0.0.1', '--for', 'withdrawals', '--environment', 'live');
  const committed = await shop.open('5', USDC);
  const { checkoutId } = committed;
  shop.pay(committed, '5');
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  const made = await shop.client.post<{ refund: Refund }>('/refund', {
    ...{ checkoutId, kind: 'amount', amount: '2' },
  });
  const body = new URLSearchParams({ step: 'send', address: payer.publicKey(), memo: '' });
  body.set('memoType', 'text');
  const claimed = await fetch(made.refund.claimUrl, { method: 'POST', body, redirect: 'manual' });
  assert.equal(claimed.status, 303, await claimed.text());
  let id = '';
  await waitUntil('the refund to wait for a person', async () => {
    const { json } = await command('send', 'list');
    const [found] = json.transfers as { id: string; state: string }[];
    id = found?.state === 'TO_SEND' ? found.id : '';
    return id !== '';
  });
  const { json } = await command('send', 'draft', id);
  const { text, reclaimableAt } = json.draft as { text: string; reclaimableAt: string };
  const sent = await command('send', 'signed', id, await fileOf(sign(text)));
  assert.equal(sent.exitCode, 0, sent.stderr);
  let refund: Refund | undefined;
  await waitUntil('the refund to be completed', async () => {
    ({ refund } = await shop.client.get<{ refund: Refund }>('/refund', {
      id: made.refund.id,
    }));
    return refund.state === 'COMPLETED';
  });
  const [balanceId] = [...shop.stellar.claimables.keys()];
  assert.deepEqual(refund?.claimableBalance, { id: balanceId, reclaimableFrom: reclaimableAt });
  const left = await shop.server.command('send', 'left');
  assert.match(left.stdout, new RegExp(`${id} .*2 USDC to ${payer.publicKey()} .*${balanceId}`));
  const early = await command('send', 'take-back', id);
  assert.equal(early.exitCode, 1);
  assert.match(early.stderr, /its receiver may fetch it until/);
  for (const words of [[], ['none'], [id, 'more']]) {
    const { exitCode } = await shop.server.command('send', 'take-back', ...words);
    assert.notEqual(exitCode, 0, words.join());
  }
  await shop.checkBooks();
});
