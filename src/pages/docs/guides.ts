// Guides whose examples a test runs against a real server, in this order and with these very
// bodies. `{name}` in a step is what an earlier step remembered of its answer.

export type GuideStep = {
  readonly text: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
  /** Names for later steps, and where in the answer they stand (`checkout.state`). */
  readonly remember?: Readonly<Record<string, string>>;
  /** What the answer says where; a GET with it is repeated until it does. */
  readonly expect?: Readonly<Record<string, string>>;
};

export type Guide = {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly steps: readonly GuideStep[];
  readonly code?: string;
};

const charge = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'A good book', netAmount: '19.90', quantity: '1' }],
};

/** Of the sandbox, the same everywhere. */
const SANDBOX_LITECOIN = 'LTC:GCJUDWJPUP7MCTXB4TNHD3CQXYL2PF4F7M3CVJ7AM7T3GWDOET3IMOF7';

const paid: readonly GuideStep[] = [
  {
    text: 'With a test key, pay it from the sandbox wallet, and let blocks be found.',
    method: 'POST',
    path: '/sandbox/pay',
    body: { checkoutId: '{checkoutId}', network: 'LITECOIN' },
  },
  {
    text: 'Blocks confirm the payment.',
    method: 'POST',
    path: '/sandbox/mine',
    body: { network: 'LITECOIN', blocks: 12 },
  },
  {
    text: 'The checkout is COMPLETED when the payment is final and credited. wait holds the answer until something changes; a webhook tells you without asking.',
    method: 'GET',
    path: '/checkout',
    query: '?id={checkoutId}&wait=5',
    expect: { 'checkout.state': 'COMPLETED' },
  },
];

const VERIFY_WEBHOOK = `import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

// secret: npx quittance webhook secret --environment test
// body: the raw text as received, before any parsing
export function verifyWebhook(secret, headers, body, nowSeconds = Date.now() / 1000) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(nowSeconds - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return headers['webhook-signature'].split(' ').some((part) => {
    const given = Buffer.from(part.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// What older plugins verify. apiSecret: of the key that created the checkout. It does not say when
// it was sent: prefer the one above.
export function verifyWebhookAuth(apiSecret, headers, body) {
  const expected = createHash('sha256').update(apiSecret).update(body).digest();
  const given = Buffer.from(headers['x-webhook-auth'] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`;

const EMBED = `<!-- Once: npx quittance merchant page set --embed-origins https://shop.example -->
<script src="https://pay.example/embed.js"></script>

<a id="pay" href="https://pay.example/en/checkout/…">Pay with crypto</a>
<script>
  const link = document.getElementById('pay');
  link.addEventListener('click', (event) => {
    event.preventDefault();
    // The url of POST /checkout/hosted.
    Quittance.open(link.href, {
      // Paid: thank the buyer. Ship when the webhook says so, never because of this.
      onComplete: ({ checkoutId }) => location.assign('/thanks?checkout=' + checkoutId),
      // The window was closed; the buyer can open it again, nothing is lost.
      onClose: ({ checkoutId, state }) => {},
      // Every state that is shown: choose, pay, seen, partial, paid, expired, cancelled, trouble.
      onState: ({ checkoutId, state }) => {},
    });
  });
</script>
`;

export const GUIDES: readonly Guide[] = [
  {
    id: 'self-hosted',
    title: 'Take a payment on your own page',
    about: 'Create a checkout, let the buyer choose a way to pay, show address and amount.',
    steps: [
      {
        text: 'Create the checkout. The answer lists every way to pay with its amount.',
        method: 'POST',
        path: '/checkout',
        body: { charge },
        remember: { checkoutId: 'id' },
      },
      {
        text: 'Commit to the way the buyer chose. Show depositInstructions and paymentUri; amount and rate hold until the expiration time.',
        method: 'POST',
        path: '/checkout/commit',
        body: { checkoutId: '{checkoutId}', network: 'LITECOIN' },
      },
      ...paid,
    ],
  },
  {
    id: 'hosted',
    title: 'Send the buyer to the hosted page',
    about: 'Create a checkout and redirect to its address; the page does the rest.',
    steps: [
      {
        text: 'Create it. Redirect the buyer to url. Never take the return of the buyer for a payment: ask, or wait for the webhook.',
        method: 'POST',
        path: '/checkout/hosted',
        body: {
          charge,
          pageSettings: {
            returnUrl: 'https://shop.example/thanks',
            cancelUrl: 'https://shop.example/cart',
          },
        },
        remember: { checkoutId: 'id' },
      },
      {
        text: 'Ask for its state.',
        method: 'GET',
        path: '/checkout',
        query: '?id={checkoutId}',
        expect: { 'checkout.type': 'HOSTED' },
      },
      ...paid,
    ],
  },
  {
    id: 'embed',
    title: 'Show the hosted page in a window above yours',
    about:
      'embed.js opens it in an accessible modal frame: Escape and the button close it, the focus returns. Allow the exact origin of your page first: nobody may frame a checkout by default. Where the frame is refused or not supported the buyer is sent to the hosted page instead. open() gives an object with close(), and throws a TypeError for an address of another server. Under a domain of the merchant’s own load the script from there: it opens checkouts of its own origin. Load it without an integrity attribute: it changes with the server. What it tells is for showing; the webhook is the proof. Try it at /demo/embedded.',
    steps: [],
    code: EMBED,
  },
  {
    id: 'verify-a-webhook',
    title: 'Verify a webhook',
    about:
      'Every webhook carries Standard Webhooks headers. Check the signature over the raw body, answer 2xx at once, and ignore ids seen before and sequences older than the last.',
    steps: [],
    code: VERIFY_WEBHOOK,
  },
  {
    id: 'money-not-as-asked',
    title: 'Money that is not as asked',
    about:
      'CHECKOUT_MISDIRECTED and DEPOSIT_MISDIRECTED say that money came in another asset, or on another network. It is credited to nobody: it lies in suspense until the operator assigns, returns or writes it off, which SUSPENSE_RESOLVED tells. CHECKOUT_PAID_AGAIN says that a completed checkout was paid once more: the money is yours, refund what is too much. CHECKOUT_PENDING_WITHDRAWN and DEPOSIT_PENDING_WITHDRAWN take back what was told as pending.',
    steps: [
      {
        text: 'What names a checkout or an address of yours, with its reason and what became of it.',
        method: 'GET',
        path: '/suspense',
      },
    ],
  },
  {
    id: 'anchors',
    title: 'Rehearse payments through an anchor',
    about:
      'An anchor (SEP-6) takes a coin on its own network and pays you on Stellar with an asset it issues. With a test key the sandbox has one: GET /assets shows its assets with bridge: true. A preference that cannot be followed stops no sale: the usual way is offered, and warnings in the answer says so.',
    steps: [
      {
        text: 'Prefer the asset of the anchor for a network. Older clients name its issuer in blockchainRelays.',
        method: 'POST',
        path: '/checkout',
        body: { charge, anchors: { LITECOIN: SANDBOX_LITECOIN } },
        remember: { checkoutId: 'id' },
      },
      {
        text: 'Commit. The address is that of the anchor; what arrives is its asset.',
        method: 'POST',
        path: '/checkout/commit',
        body: { checkoutId: '{checkoutId}', network: 'LITECOIN' },
        expect: { 'settlement.assetId': SANDBOX_LITECOIN },
      },
      {
        text: 'The customer pays the anchor.',
        method: 'POST',
        path: '/sandbox/pay',
        body: { checkoutId: '{checkoutId}' },
      },
      {
        text: 'A block holds that payment, and the anchor sends its own.',
        method: 'POST',
        path: '/sandbox/mine',
        body: { network: 'LITECOIN', blocks: 1 },
      },
      {
        text: 'blockchainTransactions shows both, here and in the webhook.',
        method: 'GET',
        path: '/checkout',
        query: '?id={checkoutId}&wait=5',
        expect: {
          'checkout.blockchainTransactions.0.type': 'CHECKOUT_ORIGIN',
          'checkout.blockchainTransactions.1.type': 'CHECKOUT_BRIDGE',
        },
      },
      {
        text: 'Blocks confirm what the anchor sent.',
        method: 'POST',
        path: '/sandbox/mine',
        body: { network: 'LITECOIN', blocks: 12 },
      },
      {
        text: 'It is credited.',
        method: 'GET',
        path: '/checkout',
        query: '?id={checkoutId}&wait=5',
        expect: {
          'checkout.state': 'COMPLETED',
          'checkout.blockchainTransactions.2.type': 'CHECKOUT_SETTLEMENT',
        },
      },
    ],
  },
  {
    id: 'refund',
    title: 'Give money back',
    about:
      'Refunds move money: they need a signed request from an address on the IP allow-list (npx quittance allow-list add). Without an address the payer gets a link to claim it. Beside the address of an exchange give what it asks for: memo (with memoType) on Stellar, destinationTag on the XRP Ledger.',
    steps: [
      {
        text: 'A checkout that will be paid.',
        method: 'POST',
        path: '/checkout',
        body: { charge, settlementAsset: 'ORIGIN' },
        remember: { checkoutId: 'id' },
      },
      {
        text: 'Commit.',
        method: 'POST',
        path: '/checkout/commit',
        body: { checkoutId: '{checkoutId}', network: 'LITECOIN' },
      },
      ...paid,
      {
        text: 'Refund all of it. Send claimUrl to the payer.',
        method: 'POST',
        path: '/refund',
        body: { checkoutId: '{checkoutId}', kind: 'full' },
        remember: { refundId: 'refund.id' },
      },
      {
        text: 'Follow it.',
        method: 'GET',
        path: '/refund',
        query: '?id={refundId}',
        expect: { 'refund.id': '{refundId}', 'refund.state': 'AWAITING_ADDRESS' },
      },
    ],
  },
  {
    id: 'reconcile',
    title: 'Reconcile',
    about:
      'Compare your orders with the books once a day: lists are newest first, nextCursor leads on until it is null.',
    steps: [
      {
        text: 'Completed checkouts.',
        method: 'GET',
        path: '/checkouts',
        query: '?state=COMPLETED&limit=250',
      },
      { text: 'What is yours, by asset.', method: 'GET', path: '/wallets' },
      {
        text: 'Each settlement with gross, fee and net, as JSON or CSV.',
        method: 'GET',
        path: '/reports/settlements',
      },
      {
        text: 'What happened in the last 60 days, to catch up after an outage of your receiver.',
        method: 'GET',
        path: '/events',
        query: '?limit=250',
      },
    ],
  },
];
