// By which resource operations are grouped in the OpenAPI document.
import { assert } from '#base/assert.ts';

type Tag = { readonly name: string; readonly description: string };

/** With the first steps of the paths that belong to each. */
const GROUPS: readonly (readonly [tag: Tag, steps: readonly string[]])[] = [
  [
    { name: 'Service', description: 'The service itself: its time, languages, this document.' },
    ['time', 'auth-test', 'languages', 'openapi.json', 'request', 'requests'],
  ],
  [
    {
      name: 'Catalogue',
      description: 'Networks, assets, currencies, and what one is worth in another.',
    },
    [
      ...['networks', 'assets', 'currencies', 'fiat-currencies', 'blockchains', 'asset-issuers'],
      'exchange-rate',
    ],
  ],
  [
    { name: 'Checkouts', description: 'What a customer is asked to pay, once.' },
    ['checkout', 'checkouts'],
  ],
  [
    { name: 'DepositAddresses', description: 'Addresses that may be paid any number of times.' },
    ['deposit-address', 'deposit-addresses'],
  ],
  [{ name: 'Events', description: 'What was told to receivers of webhooks.' }, ['event', 'events']],
  [
    { name: 'WebhookEndpoints', description: 'Receivers of the events of the whole account.' },
    ['webhook-endpoint', 'webhook-endpoints'],
  ],
  [
    { name: 'AccountSettings', description: 'What the account itself may set.' },
    ['account-settings', 'page-look'],
  ],
  [
    { name: 'SpendingLimits', description: 'How much may be sent out, and second approvers.' },
    ['spending-limits', 'spending-limit', 'approvals', 'approval'],
  ],
  [{ name: 'Wallets', description: 'Balances, by asset.' }, ['wallets', 'wallet']],
  [
    { name: 'Customers', description: 'Who buys: kept for checkouts and invoices.' },
    ['customer', 'customers'],
  ],
  [{ name: 'Swaps', description: 'Conversions of a balance into another asset.' }, ['swap']],
  [
    { name: 'Beneficiaries', description: 'Who may be sent money to.' },
    ['beneficiary', 'beneficiaries'],
  ],
  [{ name: 'Transfers', description: 'Money sent to beneficiaries.' }, ['transfer', 'transfers']],
  [
    { name: 'SettlementRules', description: 'What is done with a balance when nobody asks.' },
    ['settlement-rule', 'settlement-rules'],
  ],
  [{ name: 'Refunds', description: 'Money of a checkout sent back.' }, ['refund', 'refunds']],
  [{ name: 'Suspense', description: 'Money that came and is not credited yet.' }, ['suspense']],
  [{ name: 'Reports', description: 'The books of the account, as JSON or files.' }, ['reports']],
  [{ name: 'Sandbox', description: 'The simulated networks, driven with test keys.' }, ['sandbox']],
];

export const TAGS: readonly Tag[] = GROUPS.map(([tag]) => tag);

export function tagOf(path: string): string {
  const [, step = ''] = path.split('/');
  const found = GROUPS.find(([, steps]) => steps.includes(step));
  assert(found !== undefined, `no group of the OpenAPI document has ${path}`);
  return found[0].name;
}
