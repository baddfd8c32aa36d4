import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeCursor } from '#db/page-cursor.ts';
import { accountsOf, type Entry, reverseEntries } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { openTransfer, type Transfer } from '#transfer/transfer.ts';
import { completeEntry, reserveEntry } from '#transfer/transfer-entries.ts';
import { feesReport } from './fees-report.ts';
import { settlementsReport } from './settlements-report.ts';

const LTC = 'LTC:NATIVE';

let api: TestApi;
before(async () => {
  api = await openTestApi();
  const { merchantId } = api;
  const funds = { merchantId, cause: 'first', assetId: LTC, units: 1_000_000n };
  await fundMerchant(api.db, { ...funds, occurredAt: api.clock.now() });
});
after(() => api.close());

async function post(...entries: Entry[]): Promise<void> {
  await ensureAccounts(api.db, accountsOf(entries));
  await api.db.transact(async (tx) => postEntries(tx, entries));
}

/** Reserves 1000 of network fee; `taken` is what the network took, where that is known. */
async function send(taken: bigint | undefined): Promise<{ transfer: Transfer; completed: Entry }> {
  const { app, merchantId, clock } = api;
  const now = clock.now();
  const transfer = await api.db.transact(async (tx) =>
    openTransfer(app, tx, {
      ...{ merchantId, environment: 'test', kind: 'TRANSFER', beneficiaryId: undefined },
      ...{ network: 'LITECOIN', assetId: LTC, account: { address: 'a' }, apiKey: undefined },
      ...{ units: 51_020n, networkFeeUnits: 1_000n, feeUnits: 20n, targetUnits: 50_000n },
      ...{ source: 'merchant:available', state: 'RESERVED', createdAt: now, expiresAt: now },
      ...{ committedAt: now, restsUntil: undefined, nextStepAt: undefined },
    }),
  );
  const completed = completeEntry({ ...transfer, feeTakenUnits: taken }, now);
  await post(reserveEntry(transfer, now), completed);
  return { transfer, completed };
}

const request = () => ({
  ...({ merchantId: api.merchantId, environment: 'test', limit: 100 } as const),
  ...{ from: undefined, to: undefined, cursor: undefined },
});

test('what is left of a fee is no payment that became available', async () => {
  await send(400n);
  const { rows } = await settlementsReport.read(api.db, request());
  assert.deepEqual(rows, []);
});

test('the fee of a network is what the merchant paid of it, whoever sent it, also undone', async () => {
  await send(undefined);
  const { transfer, completed } = await send(700n);
  const reversal = {
    kind: 'sending-reversal',
    cause: 'reorganisation',
    occurredAt: api.clock.now(),
  };
  await post(...reverseEntries([completed], reversal));
  const again = completeEntry(
    { ...transfer, feeTakenUnits: 1_000n, feeBeyondUnits: 30n, undoneCount: 1 },
    api.clock.now(),
  );
  await post(again);
  const { rows } = await feesReport.read(api.db, request());
  const shown = rows.map(({ feeType, amount }) => `${feeType} ${amount}`).toSorted();
  assert.deepEqual(shown, [
    ...['network -0.000007', 'network 0.000004', 'network 0.000007'],
    ...['network 0.00001', 'network 0.00001', 'service -0.0000002'],
    ...['service 0.0000002', 'service 0.0000002', 'service 0.0000002', 'service 0.0000002'],
  ]);
  const pages: string[] = [];
  let cursor: string | null = null;
  do {
    const asked = {
      ...request(),
      limit: 1,
      cursor: cursor === null ? undefined : decodeCursor(cursor),
    };
    const page = await feesReport.read(api.db, asked);
    pages.push(...page.rows.map(({ feeType, amount }) => `${feeType} ${amount}`));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(pages.toSorted(), shown);
});
