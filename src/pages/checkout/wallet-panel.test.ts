// WalletConnect on the page: only where the operator has a project and the network is one of EVM, and
// the policy of the page is no wider elsewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '#base/random.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { samplePage } from '#pages/demo/sample-page.ts';
import { checkoutRecord, commitmentOn } from '#pages/demo/sample-record.ts';
import { WALLETCONNECT_SCRIPT } from '#pages/page-assets.ts';
import { sendPage } from '#pages/send-page.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { Due } from './decide-page.ts';
import { renderCheckout } from './render-checkout.ts';
import { walletPanel } from './wallet-panel.ts';

const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const app = { random: systemRandom };
const walletConnect = {
  projectId: 'ab12',
  relayUrl: 'wss://relay.shop.example/v2',
  relayOrigin: 'wss://relay.shop.example',
};

function pageOn(
  network: string,
  assetId: string,
  changes: Partial<CheckoutRecord & CheckoutPage> = {},
): CheckoutPage {
  const { environment = 'live', ...more } = changes;
  const commitment = commitmentOn(network, assetId, environment);
  const offers = [{ network, assetId }] as unknown as CheckoutRecord['offers'];
  const record = checkoutRecord({ environment, commitments: [commitment] });
  return { ...samplePage(record), record: { ...record, offers }, walletConnect, ...more };
}

function panelOf(page: CheckoutPage, paymentUri: string): string {
  const [commitment] = page.record.commitments;
  assert(commitment !== undefined);
  const due = { commitment, units: 1n, paymentUri, anchorFeeUnits: 0n } as Due;
  return walletPanel(page, due)?.markup ?? '';
}

const LINK = `ethereum:${EVM}@1?value=1`;

test('on a network of EVM there is a button that names what it loads, and what it connects to', () => {
  const panel = panelOf(pageOn('ETHEREUM', 'ETH:NATIVE'), LINK);
  assert.match(
    panel,
    /<button type="button"[^>]* id="connect"[^>]* hidden>Pay with WalletConnect</,
  );
  assert.ok(panel.includes(`data-script="${WALLETCONNECT_SCRIPT?.path}"`));
  assert.match(panel, /&quot;relay&quot;:&quot;wss:\/\/relay\.shop\.example\/v2&quot;/);
});

test('there is none without a project, on other networks, and for money of tests', () => {
  const none = (page: CheckoutPage, link = LINK) => {
    const panel = panelOf(page, link);
    assert.doesNotMatch(panel, /WalletConnect<|id="connect"|&quot;connect&quot;:\{&quot;projectId/);
    return panel;
  };
  none(pageOn('ETHEREUM', 'ETH:NATIVE', { walletConnect: undefined }));
  const xrp = none(pageOn('XRP_LEDGER', 'XRP:NATIVE'), 'ripple:rrr');
  // Extensions that do not look into frames.
  assert.match(xrp, /<a class="quiet" id="own-window" target="_blank" rel="noopener"/);
  assert.equal(none(pageOn('ETHEREUM', 'ETH:NATIVE', { environment: 'test' })), '');
});

test('the policy names the origin of the relay where it may be asked for, and nothing else', () => {
  const connectsTo = (page: CheckoutPage) => {
    const policy = sendPage(app, renderCheckout(page)).headers.get('content-security-policy');
    return /connect-src 'self'([^;]*);/.exec(policy ?? '')?.[1];
  };
  assert.equal(connectsTo(pageOn('ETHEREUM', 'ETH:NATIVE')), ' wss://relay.shop.example');
  assert.equal(connectsTo(pageOn('ETHEREUM', 'ETH:NATIVE', { walletConnect: undefined })), '');
  assert.equal(connectsTo(pageOn('LITECOIN', 'LTC:NATIVE')), '');
});
