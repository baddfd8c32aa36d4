import { z } from 'zod';
import type { Caller } from '#access/caller.ts';
import { type ApiApp, protectedEndpoint } from '#api/endpoint.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset, listAssets } from '#catalog/asset.ts';
import type { DepositAddressRecord } from '#deposit-address/deposit-address.ts';
import { listDepositAddresses } from '#deposit-address/deposit-address.ts';
import { listWallets, type Wallet, walletOf } from '#ledger/account.ts';
import { amountToText } from '#money/asset-amount.ts';
import { fields, textUpTo } from '#money/exact-schema.ts';

const ASSET_CODE_MAX = 200;

const walletsSchema = z
  .object({
    wallets: z.array(
      z
        .object({
          assetId: z.string(),
          assetCode: z.string(),
          balance: z.string(),
          available: z.string(),
          pending: z.string(),
          owed: z.string(),
          depositAddresses: z.array(
            z
              .object({
                network: z.string(),
                address: z.string(),
                memo: z.string().nullable(),
                memoType: z.string().nullable(),
              })
              .meta({ id: 'WalletAddress' }),
          ),
        })
        .meta({ id: 'Wallet' }),
    ),
  })
  .meta({ id: 'WalletList' });

export const getWallets = protectedEndpoint({
  method: 'GET',
  path: '/wallets',
  operationId: 'listWallets',
  auth: 'read',
  summary: 'Balances of every asset the account ever had, and where each can be paid to',
  response: walletsSchema,
  handle: async (app, { caller }) => ({ wallets: await shownWallets(app, caller) }),
});

export const getWallet = protectedEndpoint({
  method: 'GET',
  path: '/wallet',
  operationId: 'getWallet',
  auth: 'read',
  summary: 'Balances of the assets with one code (several networks issue USDC), or of one asset id',
  request: fields({ assetCode: textUpTo(ASSET_CODE_MAX) }),
  response: walletsSchema,
  async handle(app, { caller }, { assetCode }) {
    const ids = listAssets(caller.environment)
      .filter((asset) => asset.id === assetCode || asset.assetCode === assetCode)
      .map(({ id }) => id);
    if (ids.length === 0) {
      throw new Refusal('invalid', 'validation_failed', 'assetCode: is not one of GET /assets');
    }
    return { wallets: await shownWallets(app, caller, ids) };
  },
});

/** More than these are listed by GET /deposit-addresses. */
const DEPOSIT_ADDRESSES_MAX = 250;

/** Those of these assets, held or not; without a list, of what was ever held or can be paid to. */
async function shownWallets(app: ApiApp, caller: Caller, assetIds?: readonly string[]) {
  const page = { cursor: undefined, limit: DEPOSIT_ADDRESSES_MAX };
  const [held, { depositAddresses }] = await Promise.all([
    listWallets(app.db, caller),
    listDepositAddresses(app, caller, page),
  ]);
  const known = [...held, ...depositAddresses].map(({ assetId }) => assetId);
  return (assetIds ?? [...new Set(known)].toSorted())
    .map((assetId) => held.find((wallet) => wallet.assetId === assetId) ?? walletOf(assetId, []))
    .map((wallet) => walletView(wallet, depositAddresses));
}

function walletView(wallet: Wallet, depositAddresses: readonly DepositAddressRecord[]) {
  const { assetId, balanceUnits, availableUnits, pendingUnits, owedUnits } = wallet;
  const { assetCode, decimals } = getAsset(assetId);
  return {
    assetId,
    assetCode,
    balance: amountToText(balanceUnits, decimals),
    available: amountToText(availableUnits, decimals),
    pending: amountToText(pendingUnits, decimals),
    owed: amountToText(owedUnits, decimals),
    depositAddresses: depositAddresses
      .filter((address) => address.assetId === assetId)
      .map(({ network, instruction: { address, memo, memoType } }) => ({
        network,
        address,
        memo: memo ?? null,
        memoType: memoType ?? null,
      })),
  };
}
