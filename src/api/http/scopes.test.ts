// Which scope opens which route, and which routes take signatures only: said here once more, by
// hand. A route that is added without a line here fails.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { createApiKey, type NewApiKey, SCOPES, type Scope } from '#access/api-key.ts';
import { ROUTES } from '#api/routes.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { METHODS } from './authenticate.ts';

type Row = readonly [route: string, scope: Scope | 'any' | 'public', digestOnly?: 'digest'];

const TABLE: readonly Row[] = [
  ['GET /time', 'public'],
  ['GET /auth-test', 'any'],
  ['GET /languages', 'public'],
  ['GET /openapi.json', 'public'],
  ['GET /networks', 'read'],
  ['GET /assets', 'read'],
  ['GET /currencies', 'read'],
  ['GET /fiat-currencies', 'read'],
  ['GET /blockchains', 'read'],
  ['GET /asset-issuers', 'read'],
  ['GET /exchange-rate', 'read'],
  ['POST /checkout', 'checkout'],
  ['POST /checkout/commit', 'checkout'],
  ['POST /checkout/hosted', 'checkout'],
  ['POST /checkout/validate-checkout-charge', 'checkout'],
  ['GET /checkout', 'read'],
  ['POST /checkout/cancel', 'checkout'],
  ['POST /checkout/accept-underpaid', 'checkout'],
  ['GET /checkouts', 'read'],
  ['POST /deposit-address', 'checkout'],
  ['GET /deposit-address', 'read'],
  ['GET /deposit-addresses', 'read'],
  ['GET /events', 'read'],
  ['GET /event', 'read'],
  ['GET /events/follow', 'read'],
  ['GET /requests', 'read'],
  ['GET /request', 'read'],
  ['POST /events/{id}/redeliver', 'checkout'],
  ['POST /webhook-endpoint', 'settings', 'digest'],
  ['POST /webhook-endpoint/rotate-secret', 'settings', 'digest'],
  ['PUT /webhook-endpoint', 'settings', 'digest'],
  ['GET /webhook-endpoints', 'settings', 'digest'],
  ['DELETE /webhook-endpoint', 'settings', 'digest'],
  ['GET /account-settings', 'settings', 'digest'],
  ['PUT /account-settings', 'settings', 'digest'],
  ['GET /page-look', 'settings', 'digest'],
  ['PUT /page-look', 'settings', 'digest'],
  ['GET /spending-limits', 'money'],
  ['PUT /spending-limit', 'settings', 'digest'],
  ['GET /wallets', 'read'],
  ['GET /wallet', 'read'],
  ['POST /customer', 'customer'],
  ['PUT /customer', 'customer'],
  ['DELETE /customer', 'customer'],
  ['GET /customer', 'read'],
  ['GET /customers', 'read'],
  ['POST /swap', 'money', 'digest'],
  ['POST /swap/commit', 'money', 'digest'],
  ['GET /swap', 'read'],
  ['POST /beneficiary', 'money', 'digest'],
  ['DELETE /beneficiary', 'money', 'digest'],
  ['GET /beneficiary', 'read'],
  ['GET /beneficiaries', 'read'],
  ['POST /transfer', 'money', 'digest'],
  ['POST /transfer/commit', 'money', 'digest'],
  ['POST /transfer/cancel', 'money', 'digest'],
  ['GET /transfer', 'money'],
  ['GET /transfers', 'money'],
  ['POST /settlement-rule', 'money', 'digest'],
  ['POST /settlement-rule/pause', 'money', 'digest'],
  ['POST /settlement-rule/resume', 'money', 'digest'],
  ['DELETE /settlement-rule', 'money', 'digest'],
  ['GET /settlement-rule', 'money'],
  ['GET /settlement-rules', 'money'],
  ['GET /approvals', 'approve'],
  ['POST /approval', 'approve', 'digest'],
  ['POST /refund', 'money', 'digest'],
  ['POST /refund/cancel', 'money', 'digest'],
  ['GET /refund', 'money'],
  ['GET /refunds', 'money'],
  ['GET /suspense', 'read'],
  ['GET /reports/balances', 'report'],
  ['GET /reports/ledger', 'report'],
  ['GET /reports/settlements', 'report'],
  ['GET /reports/fees', 'report'],
  ['GET /reports/taxes', 'report'],
  ['GET /reports/conversions', 'report'],
  ['GET /reports/gains', 'report'],
  ['POST /sandbox/pay', 'checkout'],
  ['POST /sandbox/mine', 'checkout'],
  ['POST /sandbox/replace', 'checkout'],
  ['POST /sandbox/reorg', 'checkout'],
  ['POST /sandbox/advance', 'checkout'],
  ['POST /sandbox/expire', 'checkout'],
  ['POST /sandbox/freeze', 'checkout'],
];

let api: TestApi;
const keys = new Map<Scope, NewApiKey>();
before(async () => {
  api = await openTestApi({ simulated: true });
  const { app, merchantId } = api;
  await allowAddress(
    app,
    { merchantId, environment: 'test' },
    { use: 'withdrawals', address: '127.0.0.1' },
  );
  for (const scope of SCOPES) {
    keys.set(scope, await createApiKey(app, { merchantId, environment: 'test', scopes: [scope] }));
  }
});
after(() => api.close());

test('every route has its line, and every line its route', () => {
  const routes = ROUTES.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(routes.sort(), TABLE.map(([route]) => route).sort());
});

for (const [route, scope, digestOnly] of TABLE) {
  const method = METHODS.find((one) => route.startsWith(`${one} `)) ?? 'GET';
  const path = route.slice(method.length + 1).replace('{id}', 'aaaaaaaaaaaa');
  const code = async (options: Parameters<TestApi['call']>[2]) => {
    const { headers } = await api.call(method, path, { body: {}, ...options });
    return headers.get('x-error-code');
  };

  test(`${route} is opened by ${scope}${digestOnly ? ', signed only' : ''}`, async () => {
    for (const [own, key] of keys) {
      const isOpen = scope === 'public' || scope === 'any' || scope === own;
      assert.equal((await code({ key })) === 'scope_missing', !isOpen, own);
      // The clock stands still: the same request again would have the same signature.
      await api.clock.advance(1_000);
    }
    const [opener] = SCOPES.filter((one) => scope === one);
    const key = (opener && keys.get(opener)) ?? api.key;
    const refused = (await code({ key, auth: 'basic' })) === 'method_not_accepted';
    assert.equal(refused, digestOnly === 'digest');
  });
}
