// Every route of the API, in the order of the documentation.

import { isId } from '#base/id.ts';
import { isJsonObject } from '#money/exact-json.ts';
import { BASE_PATH, type Endpoint } from './endpoint.ts';
import { getAccountSettings, putAccountSettings } from './resources/account-settings.ts';
import {
  deleteBeneficiary,
  getBeneficiaries,
  getBeneficiary,
  postBeneficiary,
} from './resources/beneficiary.ts';
import {
  getAssetIssuers,
  getAssets,
  getBlockchains,
  getCurrencies,
  getFiatCurrencies,
  getNetworks,
} from './resources/catalogue.ts';
import { postValidateCheckoutCharge } from './resources/charge.ts';
import {
  getCheckout,
  getCheckouts,
  postCheckout,
  postCheckoutAcceptUnderpaid,
  postCheckoutCancel,
  postCheckoutCommit,
  postCheckoutHosted,
} from './resources/checkout.ts';
import {
  deleteCustomer,
  getCustomer,
  getCustomers,
  postCustomer,
  putCustomer,
} from './resources/customer.ts';
import {
  getDepositAddress,
  getDepositAddresses,
  postDepositAddress,
} from './resources/deposit-address.ts';
import { getEvent, getEvents, getEventsFollow, postEventRedeliver } from './resources/event.ts';
import { getExchangeRate } from './resources/exchange-rate.ts';
import { getPageLook, putPageLook } from './resources/page-look.ts';
import { getRefund, getRefunds, postRefund, postRefundCancel } from './resources/refund.ts';
import { REPORT_ENDPOINTS } from './resources/report.ts';
import { getRequest, getRequests } from './resources/request.ts';
import {
  postSandboxAdvance,
  postSandboxExpire,
  postSandboxFreeze,
  postSandboxMine,
  postSandboxPay,
  postSandboxReorg,
  postSandboxReplace,
} from './resources/sandbox.ts';
import { getAuthTest, getLanguages, getOpenapi, getTime } from './resources/service.ts';
import {
  deleteSettlementRule,
  getSettlementRule,
  getSettlementRules,
  postSettlementRule,
  postSettlementRulePause,
  postSettlementRuleResume,
} from './resources/settlement-rule.ts';
import {
  getApprovals,
  getSpendingLimits,
  postApproval,
  putSpendingLimit,
} from './resources/spending-limit.ts';
import { getSuspense } from './resources/suspense.ts';
import { getSwap, postSwap, postSwapCommit } from './resources/swap.ts';
import {
  getTransfer,
  getTransfers,
  postTransfer,
  postTransferCancel,
  postTransferCommit,
} from './resources/transfer.ts';
import { getWallet, getWallets } from './resources/wallet.ts';
import {
  deleteWebhookEndpoint,
  getWebhookEndpoints,
  postEndpointRotateSecret,
  postWebhookEndpoint,
  putWebhookEndpoint,
} from './resources/webhook-endpoint.ts';

export const ROUTES: readonly Endpoint[] = [
  getTime,
  getAuthTest,
  getLanguages,
  // The document is made of all routes, this one too.
  getOpenapi(() => ROUTES),
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
  getEvent,
  getEventsFollow,
  postEventRedeliver,
  getRequests,
  getRequest,
  postWebhookEndpoint,
  postEndpointRotateSecret,
  putWebhookEndpoint,
  getWebhookEndpoints,
  deleteWebhookEndpoint,
  getAccountSettings,
  putAccountSettings,
  getPageLook,
  putPageLook,
  getSpendingLimits,
  putSpendingLimit,
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
  postTransferCancel,
  getTransfer,
  getTransfers,
  postSettlementRule,
  postSettlementRulePause,
  postSettlementRuleResume,
  deleteSettlementRule,
  getSettlementRule,
  getSettlementRules,
  getApprovals,
  postApproval,
  postRefund,
  postRefundCancel,
  getRefund,
  getRefunds,
  getSuspense,
  ...REPORT_ENDPOINTS,
  postSandboxPay,
  postSandboxMine,
  postSandboxReplace,
  postSandboxReorg,
  postSandboxAdvance,
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
    template: route.path,
    answer: (app, call, input) =>
      route.answer(app, call, isJsonObject(input) ? { ...input, id } : input),
  };
}
