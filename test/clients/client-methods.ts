// How each endpoint is called in the client libraries (clients/README.md). The names are decided here,
// everything else is read from the routes, so that no endpoint is without a method.
import assert from 'node:assert/strict';
import type { Endpoint } from '#api/endpoint.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';

type Shape = {
  /** The one parameter that is given by itself, before the others. */
  readonly argument?: string;
  /** The parameters are sent as an object under this name. */
  readonly wrap?: string;
  /** What is handed back of the answer; all of it unless said. */
  readonly returns?: string;
  /** Where in the answer the entries of a page are. */
  readonly pages?: string;
};

export type ClientMethod = Required<{ readonly [Name in keyof Shape]: string | null }> & {
  readonly name: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly auth: Endpoint['auth'];
  readonly idempotencyKey: boolean;
};

const NAMES: Readonly<Record<string, readonly [name: string, shape?: Shape]>> = {
  'GET /time': ['service.time', { returns: 'time' }],
  'GET /auth-test': ['service.authTest'],
  'GET /languages': ['service.languages', { returns: 'languages' }],
  'GET /openapi.json': ['service.openapi'],
  'GET /networks': ['catalogue.networks', { returns: 'networks' }],
  'GET /assets': ['catalogue.assets', { returns: 'assets' }],
  'GET /currencies': ['catalogue.currencies', { returns: 'currencies' }],
  'GET /fiat-currencies': ['catalogue.fiatCurrencies', { returns: 'fiatCurrencies' }],
  'GET /blockchains': ['catalogue.blockchains', { returns: 'blockchains' }],
  'GET /asset-issuers': ['catalogue.assetIssuers', { returns: 'assetIssuers' }],
  'GET /exchange-rate': ['catalogue.exchangeRate'],
  'POST /checkout': ['checkout.create'],
  'POST /checkout/commit': ['checkout.commit', { argument: 'checkoutId' }],
  'POST /checkout/hosted': ['checkout.createHosted'],
  'POST /checkout/validate-checkout-charge': ['checkout.validateCharge', { wrap: 'charge' }],
  'GET /checkout': ['checkout.get', { argument: 'id', returns: 'checkout' }],
  'POST /checkout/cancel': ['checkout.cancel', { argument: 'checkoutId', returns: 'checkout' }],
  'POST /checkout/accept-underpaid': [
    'checkout.acceptUnderpaid',
    { argument: 'checkoutId', returns: 'checkout' },
  ],
  'GET /checkouts': ['checkout.list', { pages: 'checkouts' }],
  'POST /deposit-address': ['depositAddresses.create', { returns: 'depositAddress' }],
  'GET /deposit-address': ['depositAddresses.get', { argument: 'id', returns: 'depositAddress' }],
  'GET /deposit-addresses': ['depositAddresses.list', { pages: 'depositAddresses' }],
  'GET /events': ['events.list', { pages: 'events' }],
  'GET /events/follow': ['events.follow'],
  'GET /event': ['events.get', { argument: 'id', returns: 'event' }],
  'GET /requests': ['requests.list', { pages: 'requests' }],
  'GET /request': ['requests.get', { argument: 'id', returns: 'request' }],
  'POST /events/{id}/redeliver': ['events.redeliver', { argument: 'id', returns: 'event' }],
  'POST /webhook-endpoint': ['webhookEndpoints.create'],
  'PUT /webhook-endpoint': [
    'webhookEndpoints.update',
    { argument: 'webhookEndpointId', returns: 'webhookEndpoint' },
  ],
  'DELETE /webhook-endpoint': ['webhookEndpoints.delete', { argument: 'id' }],
  'POST /webhook-endpoint/rotate-secret': [
    'webhookEndpoints.rotateSecret',
    { argument: 'webhookEndpointId' },
  ],
  'GET /webhook-endpoints': ['webhookEndpoints.list', { pages: 'webhookEndpoints' }],
  'GET /account-settings': ['accountSettings.get', { returns: 'accountSettings' }],
  'PUT /account-settings': ['accountSettings.update', { returns: 'accountSettings' }],
  'GET /page-look': ['accountSettings.getPageLook', { returns: 'pageLook' }],
  'PUT /page-look': ['accountSettings.updatePageLook', { returns: 'pageLook' }],
  'GET /spending-limits': ['spendingLimits.get', { returns: 'spendingLimits' }],
  'PUT /spending-limit': ['spendingLimits.update', { returns: 'spendingLimits' }],
  'GET /wallets': ['wallets.list', { returns: 'wallets' }],
  'GET /wallet': ['wallets.get', { argument: 'assetCode', returns: 'wallets' }],
  'POST /customer': ['customers.create', { wrap: 'customer' }],
  'PUT /customer': ['customers.update', { argument: 'id', wrap: 'customer', returns: 'customer' }],
  'DELETE /customer': ['customers.delete', { argument: 'id' }],
  'GET /customer': ['customers.get', { argument: 'id', returns: 'customer' }],
  'GET /customers': ['customers.list', { pages: 'customers' }],
  'POST /swap': ['swaps.create', { returns: 'swap' }],
  'GET /swap': ['swaps.get', { argument: 'id', returns: 'swap' }],
  'POST /swap/commit': ['swaps.commit', { argument: 'swapId', returns: 'swap' }],
  'POST /beneficiary': ['beneficiaries.create', { wrap: 'beneficiary' }],
  'DELETE /beneficiary': ['beneficiaries.delete', { argument: 'id' }],
  'GET /beneficiary': ['beneficiaries.get', { argument: 'id', returns: 'beneficiary' }],
  'GET /beneficiaries': ['beneficiaries.list', { pages: 'beneficiaries' }],
  'POST /transfer': ['transfers.create', { returns: 'transfer' }],
  'GET /transfer': ['transfers.get', { argument: 'id', returns: 'transfer' }],
  'POST /transfer/commit': ['transfers.commit', { argument: 'transferId', returns: 'transfer' }],
  'POST /transfer/cancel': ['transfers.cancel', { argument: 'transferId', returns: 'transfer' }],
  'GET /transfers': ['transfers.list', { pages: 'transfers' }],
  'POST /settlement-rule': ['settlementRules.create', { returns: 'settlementRule' }],
  'DELETE /settlement-rule': ['settlementRules.delete', { argument: 'id' }],
  'GET /settlement-rule': ['settlementRules.get', { argument: 'id' }],
  'POST /settlement-rule/pause': [
    'settlementRules.pause',
    { argument: 'settlementRuleId', returns: 'settlementRule' },
  ],
  'POST /settlement-rule/resume': [
    'settlementRules.resume',
    { argument: 'settlementRuleId', returns: 'settlementRule' },
  ],
  'GET /settlement-rules': ['settlementRules.list', { pages: 'settlementRules' }],
  'GET /approvals': ['approvals.list', { returns: 'approvals' }],
  'POST /approval': ['approvals.approve', { argument: 'subject', returns: 'approval' }],
  'POST /refund': ['refunds.create', { returns: 'refund' }],
  'GET /refund': ['refunds.get', { argument: 'id', returns: 'refund' }],
  'POST /refund/cancel': ['refunds.cancel', { argument: 'refundId', returns: 'refund' }],
  'GET /refunds': ['refunds.list', { pages: 'refunds' }],
  'GET /suspense': ['suspense.list', { pages: 'suspense' }],
  'GET /reports/balances': ['reports.balances', { pages: 'report.rows' }],
  'GET /reports/ledger': ['reports.ledger', { pages: 'report.rows' }],
  'GET /reports/settlements': ['reports.settlements', { pages: 'report.rows' }],
  'GET /reports/fees': ['reports.fees', { pages: 'report.rows' }],
  'GET /reports/taxes': ['reports.taxes', { pages: 'report.rows' }],
  'GET /reports/conversions': ['reports.conversions', { pages: 'report.rows' }],
  'GET /reports/gains': ['reports.gains', { pages: 'report.rows' }],
  'POST /sandbox/pay': ['sandbox.pay', { returns: 'payments' }],
  'POST /sandbox/mine': ['sandbox.mine', { returns: 'tips' }],
  'POST /sandbox/replace': ['sandbox.replace', { argument: 'checkoutId', returns: 'payments' }],
  'POST /sandbox/reorg': ['sandbox.reorg', { argument: 'network', returns: 'tip' }],
  'POST /sandbox/advance': ['sandbox.advance', { argument: 'minutes' }],
  'POST /sandbox/expire': ['sandbox.expire', { argument: 'checkoutId' }],
  'POST /sandbox/freeze': ['sandbox.freeze', { argument: 'network' }],
};

function classOf(method: string, path: string): Endpoint['auth'] {
  const route = ROUTES.find((one) => one.method === method && one.path === path);
  assert.ok(route, `${method} ${path} is not served`);
  return route.auth;
}

/** In the order of the document. Fails on an endpoint without a name, and on a name without one. */
export function clientMethods(): readonly ClientMethod[] {
  const { paths } = openApiDocument(ROUTES, 'http://pay.example');
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      const [name, shape = {}] = NAMES[`${method} ${path}`] ?? [];
      assert.ok(name, `${method} ${path} has no name in test/clients/client-methods.ts`);
      const { argument = null, wrap = null, returns = null, pages = null } = shape;
      return {
        name,
        operationId: operation.operationId,
        method,
        path,
        auth: classOf(method, path),
        ...{ argument, wrap, returns, pages },
        idempotencyKey: method === 'POST',
      };
    }),
  );
  const known = new Set(methods.map(({ method, path }) => `${method} ${path}`));
  const gone = Object.keys(NAMES).filter((route) => !known.has(route));
  assert.deepEqual(gone, [], 'names of endpoints that are gone');
  return methods;
}
