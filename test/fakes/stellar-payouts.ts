// Money that leaves the account on Stellar: a world in which the merchant has some, prices are known,
// and what is drafted is signed as a wallet does.
import assert from 'node:assert/strict';
import { type Keypair, Networks, TransactionBuilder } from '@stellar/stellar-base';
import { settleDepartures } from '#custody/settle-departures.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { draftConversion } from '#market/draft-conversion.ts';
import { freeDrafts } from '#market/free-drafts.ts';
import { parseDecimal } from '#money/decimal.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import { draftSending } from '#sending/draft-sending.ts';
import { freeTurns } from '#sending/release-attempts.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { settleCameBack } from '#suspense/settle-came-back.ts';
import { addBeneficiary } from '#test/support/outgoing-money.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { orderHedge } from '#treasury/act-on-order.ts';
import { STELLAR_DEX } from '#treasury/hedge-order.ts';
import { unitsText } from './stellar-ledger.ts';
import {
  openStellarWorld,
  type StellarWorld,
  type StellarWorldOptions,
  USDC,
  XLM,
} from './stellar-world.ts';

export type Payouts = StellarWorld & {
  readonly ours: Keypair;
  /** As every act that sends takes it. */
  readonly sendApp: StellarWorld['app'] & ReturnType<typeof transferGrounds>;
  /** Waits to be sent, in the asset to that account. */
  payOut(units: bigint, account: ReceivingAccount, assetId?: string): Promise<Transfer>;
  draft(transferId: string): ReturnType<typeof draftSending>;
  /** Lumens for dollars at the market, given there and drafted. */
  order(units: bigint): Promise<string>;
  convert(orderId: string, isBySigner?: boolean): ReturnType<typeof draftConversion>;
  sign(text: string): string;
  /** Signed, and in a ledger. */
  submit(text: string): void;
  /** What is in the ledgers is recorded, booked and freed. */
  see(): Promise<void>;
};

const HELD = 10n ** 12n;
const WISH = { actor: 'anna', feeRate: undefined, from: undefined };

export async function openPayouts(options: StellarWorldOptions = {}): Promise<Payouts> {
  const world = await openStellarWorld(options);
  const { app, caller, stellar } = world;
  const ours = stellar.accounts.get(world.account)?.key as Keypair;
  const sendApp = { ...app, ...transferGrounds(app) };
  const line = stellar.accounts.get(world.account)?.lines.get(USDC);
  assert(line !== undefined);
  line.units = HELD;
  assert.deepEqual(await world.observe(), []);
  await fund(world);
  stellar.market = (give, units, get) =>
    give === XLM && get === USDC ? { units: units / 10n, path: [] } : undefined;
  let count = 0;
  return {
    ...world,
    ours,
    sendApp,
    async payOut(units, account, assetId = USDC) {
      count += 1;
      const targetAccount = `receiver ${count}`;
      await addBeneficiary(world, targetAccount, { network: 'STELLAR', account });
      await app.executors.get('live:STELLAR')?.readFees?.();
      const asked = { network: 'STELLAR', asset: assetId, targetAccount };
      const amount = parseDecimal(unitsText(units));
      const { id } = await quoteTransfer(app, caller, { ...asked, amount });
      const transfer = await commitTransfer(app, caller, id);
      await runTransfers(sendApp);
      return transfer;
    },
    draft: (transferId) => draftSending(sendApp, [transferId], WISH),
    async order(units) {
      remember(world);
      const { id } = await orderHedge(app, {
        ...{ actor: 'anna', reason: 'evening', environment: 'live', provider: STELLAR_DEX },
        ...{ giveAssetId: XLM, giveUnits: units, getAssetId: USDC },
        ...{ closesUnits: units / 10n, isByHand: true },
      });
      return id;
    },
    convert(orderId, isBySigner = false) {
      remember(world);
      const wish = { orderId, actor: 'anna', slippagePartsPerMillion: 5_000, isBySigner };
      return draftConversion(sendApp, wish);
    },
    sign,
    submit(text) {
      const taken = stellar.submit(sign(text));
      assert('hash' in taken, JSON.stringify(taken));
      stellar.close();
    },
    async see() {
      assert.deepEqual((await world.observe()).map(String), []);
      await settleDepartures(sendApp);
      await world.settle();
      await settleCameBack(app);
      await freeDrafts(app);
      await freeTurns(app);
    },
  };

  function sign(text: string): string {
    const transaction = TransactionBuilder.fromXDR(text, Networks.PUBLIC);
    transaction.sign(ours);
    return transaction.toEnvelope().toXDR('base64');
  }
}

/** A lumen is a tenth of a dollar, now. */
function remember({ app, clock }: StellarWorld): void {
  const observedAt = clock.now();
  const prices = [
    ['USDC', '1'],
    ['XLM', '0.1'],
  ];
  app.rates.remember(
    prices.map(([code = '', usd = '']) => ({
      ...{ environment: 'live' as const, id: 1n, code, observedAt, usdPrice: parseDecimal(usd) },
    })),
  );
}

/** The merchant has both; his dollars are of lumens that the house took and has not sold. */
async function fund({ app, caller, clock }: StellarWorld): Promise<void> {
  const { merchantId } = caller;
  const [custody, exchange] = [{ code: 'custody:STELLAR' }, { code: 'exchange' }] as const;
  const available = { merchantId, code: 'merchant:available' } as const;
  const entry: Entry = {
    ...{ causeKey: 'funds:payouts', kind: 'test-funds', environment: 'live', merchantId },
    occurredAt: clock.now(),
    postings: [
      { account: custody, assetId: XLM, units: 2n * HELD },
      { account: available, assetId: XLM, units: -HELD },
      { account: exchange, assetId: XLM, units: -HELD },
      { account: exchange, assetId: USDC, units: HELD / 10n },
      { account: available, assetId: USDC, units: -HELD / 10n },
    ],
  };
  await ensureAccounts(app.db, accountsOf([entry]));
  await app.db.transact(async (tx) => postEntries(tx, [entry]));
}
