// Every route of the API, in the order of the documentation.

import { isId } from '#base/id.ts';
import { isFields } from '#money/exact-schema.ts';
import type { Endpoint } from './endpoint.ts';
import { deleteBeneficiary } from './endpoints/delete-beneficiary.ts';
import { deleteCustomer } from './endpoints/delete-customer.ts';
import { deleteWebhookEndpoint } from './endpoints/delete-webhook-endpoint.ts';
import { getAssetIssuers } from './endpoints/get-asset-issuers.ts';
import { getAssets } from './endpoints/get-assets.ts';
import { getAuthTest } from './endpoints/get-auth-test.ts';
import { getBeneficiaries } from './endpoints/get-beneficiaries.ts';
import { getBeneficiary } from './endpoints/get-beneficiary.ts';
import { getBlockchains } from './endpoints/get-blockchains.ts';
import { getCheckout } from './endpoints/get-checkout.ts';
import { getCheckouts } from './endpoints/get-checkouts.ts';
import { getCurrencies } from './endpoints/get-currencies.ts';
import { getCustomer } from './endpoints/get-customer.ts';
import { getCustomers } from './endpoints/get-customers.ts';
import { getDepositAddress } from './endpoints/get-deposit-address.ts';
import { getDepositAddresses } from './endpoints/get-deposit-addresses.ts';
import { getEvents } from './endpoints/get-events.ts';
import { getExchangeRate } from './endpoints/get-exchange-rate.ts';
import { getFiatCurrencies } from './endpoints/get-fiat-currencies.ts';
import { getLanguages } from './endpoints/get-languages.ts';
import { getNetworks } from './endpoints/get-networks.ts';
import { getOpenapi } from './endpoints/get-openapi.ts';
import { getRefund } from './endpoints/get-refund.ts';
import { getRefunds } from './endpoints/get-refunds.ts';
import { REPORT_ENDPOINTS } from './endpoints/get-reports.ts';
import { getSuspense } from './endpoints/get-suspense.ts';
import { getSwap } from './endpoints/get-swap.ts';
import { getTime } from './endpoints/get-time.ts';
import { getTransfer } from './endpoints/get-transfer.ts';
import { getTransfers } from './endpoints/get-transfers.ts';
import { getWallet, getWallets } from './endpoints/get-wallets.ts';
import { getWebhookEndpoints } from './endpoints/get-webhook-endpoints.ts';
import { postBeneficiary } from './endpoints/post-beneficiary.ts';
import { postCheckout } from './endpoints/post-checkout.ts';
import { postCheckoutAcceptUnderpaid } from './endpoints/post-checkout-accept-underpaid.ts';
import { postCheckoutCancel } from './endpoints/post-checkout-cancel.ts';
import { postCheckoutCommit } from './endpoints/post-checkout-commit.ts';
import { postCheckoutHosted } from './endpoints/post-checkout-hosted.ts';
import { postValidateCheckoutCharge } from './endpoints/post-checkout-validate-checkout-charge.ts';
import { postCustomer } from './endpoints/post-customer.ts';
import { postDepositAddress } from './endpoints/post-deposit-address.ts';
import { postEventRedeliver } from './endpoints/post-event-redeliver.ts';
import { postRefund } from './endpoints/post-refund.ts';
import { postSandboxExpire } from './endpoints/post-sandbox-expire.ts';
import { postSandboxFreeze } from './endpoints/post-sandbox-freeze.ts';
import { postSandboxMine } from './endpoints/post-sandbox-mine.ts';
import { postSandboxPay } from './endpoints/post-sandbox-pay.ts';
import { postSandboxReorg } from './endpoints/post-sandbox-reorg.ts';
import { postSandboxReplace } from './endpoints/post-sandbox-replace.ts';
import { postSwap } from './endpoints/post-swap.ts';
import { postSwapCommit } from './endpoints/post-swap-commit.ts';
import { postTransfer } from './endpoints/post-transfer.ts';
import { postTransferCommit } from './endpoints/post-transfer-commit.ts';
import { postWebhookEndpoint } from './endpoints/post-webhook-endpoint.ts';
import { postEndpointRotateSecret } from './endpoints/post-webhook-endpoint-rotate-secret.ts';
import { putCustomer } from './endpoints/put-customer.ts';

export const BASE_PATH = '/api/v1';

export const ROUTES: readonly Endpoint[] = [
  getTime,
  getAuthTest,
  getLanguages,
  getOpenapi,
  getNetworks,
  getAssets,
  getCurrencies,
  getFiatCurrencies,
  getBlockchains,
  getAssetIssuers,
  getExchangeRate,
  postCheckout,
  postCheckoutCommit,
  postCheckoutHosted,
  postValidateCheckoutCharge,
  getCheckout,
  postCheckoutCancel,
  postCheckoutAcceptUnderpaid,
  getCheckouts,
  postDepositAddress,
  getDepositAddress,
  getDepositAddresses,
  getEvents,
  postEventRedeliver,
  postWebhookEndpoint,
  postEndpointRotateSecret,
  getWebhookEndpoints,
  deleteWebhookEndpoint,
  getWallets,
  getWallet,
  postCustomer,
  putCustomer,
  deleteCustomer,
  getCustomer,
  getCustomers,
  postSwap,
  postSwapCommit,
  getSwap,
  postBeneficiary,
  deleteBeneficiary,
  getBeneficiary,
  getBeneficiaries,
  postTransfer,
  postTransferCommit,
  getTransfer,
  getTransfers,
  postRefund,
  getRefund,
  getRefunds,
  getSuspense,
  ...REPORT_ENDPOINTS,
  postSandboxPay,
  postSandboxMine,
  postSandboxReplace,
  postSandboxReorg,
  postSandboxExpire,
  postSandboxFreeze,
];

const routesByPath = Map.groupBy(ROUTES, ({ path }) => `${BASE_PATH}${path}`);

const ID_PARAMETER = '{id}';
const patternRoutes = ROUTES.filter(({ path }) => path.includes(ID_PARAMETER));

/**
 * Those at exactly this path: no other spelling of it is one (E2). Empty when there is none. A
 * route with an id in its path comes with the path that was asked for, which is what is signed, and
 * finds the id in its input.
 */
export function findRoutes(path: string): readonly Endpoint[] {
  const known = routesByPath.get(path);
  if (known !== undefined) return path.includes(ID_PARAMETER) ? [] : known;
  return patternRoutes.flatMap((route) => {
    const [before = '', after = ''] = `${BASE_PATH}${route.path}`.split(ID_PARAMETER);
    const id = path.slice(before.length, path.length - after.length);
    return isId(id) && path === `${before}${id}${after}` ? [withId(route, id)] : [];
  });
}

function withId(route: Endpoint, id: string): Endpoint {
  return {
    ...route,
    path: route.path.replace(ID_PARAMETER, id),
    answer: (app, call, input) =>
      route.answer(app, call, isFields(input) ? { ...input, id } : input),
  };
}
