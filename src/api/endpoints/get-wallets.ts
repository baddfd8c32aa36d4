import { z } from 'zod';
import { type ApiApp, protectedEndpoint } from '#api/endpoint.ts';
import { Refusal } from '#base/refusal.ts';
import { findAsset, getAsset, listAssets } from '#catalog/asset.ts';
import { listWallets, type Wallet, walletOf } from '#ledger/list-wallets.ts';
import type { Caller } from '#merchant/caller.ts';
import { amountToText } from '#money/asset-amount.ts';
import { fields, text } from '#money/exact-schema.ts';

const assetCodeMax = 200;

const walletsSchema = z.object({
  wallets: z.array(
    z.object({
      assetId: z.string(),
      assetCode: z.string(),
      balance: z.string(),
      available: z.string(),
      pending: z.string(),
      depositAddresses: z.array(
        z.object({
          network: z.string(),
          address: z.string(),
          memo: z.string().nullable(),
          memoType: z.string().nullable(),
        }),
      ),
    }),
  ),
});

export const getWallets = protectedEndpoint({
  method: 'GET',
  path: '/wallets',
  auth: 'read',
  summary: 'Balances of every asset the account ever had',
  response: walletsSchema,
  handle: async (app, { caller }) => ({ wallets: await shownWallets(app, caller) }),
});

export const getWallet = protectedEndpoint({
  method: 'GET',
  path: '/wallet',
  auth: 'read',
  summary: 'Balances of the assets with one code (several networks issue USDC), or of one asset id',
  request: fields({ assetCode: text(assetCodeMax) }),
  response: walletsSchema,
  async handle(app, { caller }, { assetCode }) {
    const ids = listAssets()
      .filter((asset) => asset.id === assetCode || asset.assetCode === assetCode)
      .map(({ id }) => id);
    if (ids.length === 0) {
      throw new Refusal('invalid', 'validation_failed', 'assetCode: is not one of GET /assets');
    }
    return { wallets: await shownWallets(app, caller, ids) };
  },
});

/** Those of these assets, held or not; without a list, of what the merchant ever had. */
async function shownWallets(app: ApiApp, caller: Caller, assetIds?: readonly string[]) {
  const held = await listWallets(app.db, caller);
  const wallets = (assetIds ?? held.map(({ assetId }) => assetId))
    .filter((assetId) => findAsset(assetId) !== undefined)
    .map((assetId) => held.find((wallet) => wallet.assetId === assetId) ?? walletOf(assetId, []));
  return wallets.map(walletView);
}

function walletView({ assetId, balanceUnits, availableUnits, pendingUnits }: Wallet) {
  const { assetCode, decimals } = getAsset(assetId);
  return {
    assetId,
    assetCode,
    balance: amountToText(balanceUnits, decimals),
    available: amountToText(availableUnits, decimals),
    pending: amountToText(pendingUnits, decimals),
    depositAddresses: [],
  };
}
