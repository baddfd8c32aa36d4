// How the house stands (src/tidy-*.test.ts): the doors of each folder by name, and what the rules do
// not forbid yet. The lists say exactly what is: who improves something takes it off, nobody adds.

/** Files of a folder that other folders import, as paths inside it. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  access: ['allow-list', 'api-key', 'caller', 'ip-address'],
  anchor: [
    'anchor-customer',
    'anchor-deposit',
    'anchor-terms',
    'anchored-network',
    'carried-asset',
  ],
  api: ['http/limits', 'http/server', 'lightning-address-answer', 'openapi-document', 'routes'],
  audit: ['act', 'do-once', 'seal-acts'],
  base: ['assert', 'clock', 'id', 'instant', 'log', 'random', 'refusal', 'text'],
  billing: [
    'bill',
    'bill-mails',
    'decide-bill',
    'draft-bill',
    'issue-bill',
    'pay-bill',
    'write-cii',
  ],
  brake: ['release-brake'],
  catalog: ['asset', 'chain', 'currency', 'explorer', 'language', 'network', 'owner'],
  chain: [
    'act-on-chain',
    'chain-report',
    'chain-status',
    'departure',
    'heard-chains',
    'receipt',
    'record-observation',
    'strangers',
  ],
  charge: ['charge', 'checkout-request'],
  checkout: [
    'checkout',
    'checkout-refund',
    'commit-checkout',
    'create-checkout',
    'credit',
    'find-checkout',
    'list-checkouts',
    'page-token',
  ],
  'checkout-settlement': [
    'act-on-checkout',
    'checkout-view',
    'payment-progress',
    'sandbox-port',
    'settle-checkout',
    'take-assigned',
  ],
  checkup: ['check-machine', 'check-up', 'finding'],
  claimable: ['draft-take-back'],
  counter: ['counter-item'],
  custody: [
    'bank-file',
    'draft-bank-file',
    'draft-consolidation',
    'draft-speed-up',
    'explain-departure',
    'note-bank-status',
    'reconcile-holdings',
    'settle-departures',
  ],
  db: ['db', 'db-within', 'owned-by', 'page-cursor', 'settled-top', 'statement', 'table'],
  deposit: [
    'address-source',
    'deposit-instruction',
    'given-out',
    'match-arrivals',
    'money-out',
    'network',
    'open-deposit',
  ],
  desk: ['checkout-note', 'saved-view'],
  'deposit-address': [
    'create-deposit-address',
    'deposit-address',
    'deposit-address-view',
    'lightning-address',
    'settle-deposit-address',
  ],
  event: [
    'delivery',
    'enqueue-event',
    'event',
    'forget-events',
    'prove-events',
    'start-delivery',
    'webhook-endpoint',
  ],
  installation: ['installation', 'keyring'],
  invoice: ['pay-invoices', 'sent-by-person'],
  ledger: [
    'account',
    'balance',
    'head-record',
    'ledger-entry',
    'post-entry',
    'seal-entries',
    'verify-ledger',
  ],
  mail: [
    'letter',
    'letters',
    'mail',
    'mail-stop',
    'people-texts',
    'read-report',
    'send-mails',
    'smtp',
  ],
  market: ['draft-conversion', 'free-drafts', 'market-draft', 'sign-conversions'],
  merchant: [
    'create-merchant',
    'customer-mails',
    'domain',
    'merchant',
    'merchant-secret',
    'page-settings',
    'seller',
    'verify-domain',
  ],
  metrics: ['metric'],
  money: ['asset-amount', 'decimal', 'exact-json', 'exact-schema', 'rate', 'rounding'],
  networks: [
    'bank/import-bank-file',
    'families',
    'open-executors',
    'sandbox/control-sandbox',
    'sandbox/make-blocks',
    'sandbox/sandbox-network',
    'signing/signing-keys',
    'watch-network',
  ],
  pages: [
    'branding/redraw-logo',
    'create-pages',
    'letters/bill-letter',
    'letters/customer-letter',
    'letters/staff-letter',
    'operator-port',
    'page-app',
    'page-header',
  ],
  'payment-link': ['open-link-checkout', 'payment-link'],
  people: ['account-fields', 'beneficiary', 'create-beneficiary', 'customer', 'iban', 'pix-key'],
  postgres: ['embedded-database', 'migrate', 'open-listener', 'postgres-server', 'runtime-role'],
  rates: ['exchange-rate', 'forget-rates', 'quote', 'rate-book', 'refresh-rates'],
  refund: ['claim-refund', 'create-refund', 'refund', 'refund-account', 'refunds-of'],
  report: [
    'csv-text',
    'report',
    'reports',
    'stored-prices',
    'verify-reasons',
    'write-books',
    'write-datev',
    'write-house',
  ],
  'request-log': ['api-request', 'keep-requests'],
  runtime: ['batch', 'loop', 'private-file', 'process-lock', 'sealed-text', 'token-buckets'],
  server: [
    'app',
    'config',
    'first-run',
    'list-parked',
    'look-over',
    'open-database',
    'settings',
    'start',
  ],
  settle: ['queue', 'settle', 'settle-suspense', 'suspense', 'suspense-act'],
  'settlement-rule': [
    'create-settlement-rule',
    'run-settlement-rules',
    'schedule',
    'settlement-rule',
  ],
  staff: ['colleagues', 'invitation', 'passkey', 'person', 'role', 'session', 'sign-in', 'ways-in'],
  'status-mail': ['bill-mail', 'customer-mail', 'follow-events', 'staff-mail'],
  suspense: ['act-on-suspense', 'return-suspense', 'settle-came-back', 'suspense-view'],
  sending: [
    'attempt',
    'carry-out-acts',
    'draft-sending',
    'open-signers',
    'release-attempts',
    'send-by-signer',
    'send-signed',
    'sweep',
  ],
  signer: [
    'approve-order',
    'client',
    'manage-keys',
    'open-key',
    'protocol',
    'run-signer',
    'sign-order',
    'signer-log',
  ],
  spending: ['approval', 'change-limit', 'require-within-limits', 'same-person', 'spending-limit'],
  swap: ['commit-swap', 'create-swap', 'swap'],
  takings: ['follow-takings', 'list-valued'],
  trader: [
    'client',
    'key-file',
    'open-exchange',
    'protocol',
    'rules',
    'run-trader',
    'trade-journal',
  ],
  trading: ['decide-trade', 'decide-traded', 'explain-trade', 'reconcile-provider', 'trade-orders'],
  transfer: [
    'book-transfer',
    'commit-transfer',
    'conclude-transfer',
    'executor',
    'quote-transfer',
    'run-transfers',
    'send-by-hand',
    'transfer',
  ],
  treasury: [
    'act-on-order',
    'conversion-policy',
    'exposure',
    'hedge-order',
    'holding-target',
    'note-move',
    'reserve-hedges',
    'treasury-position',
  ],
  webhook: ['admit-target', 'ask-guarded', 'send-webhook', 'sign-webhook', 'target-guard'],
};

/**
 * Tables that SQL of several folders touches, and the folders. Why, by folder:
 * - `report` compares what one folder wrote with what another did, in one statement (docs/proof.md);
 * - `treasury` adds up what is promised to customers, `rates` forgets a rate only where nothing
 *   names it;
 * - `settle` has the queue: three columns that every table of things that are paid for has;
 * - `refund` reads its checkout and its transfer with it, `checkout` its refunds with their
 *   transfers, `settle` the transaction that returned a suspense: a row without the other says
 *   nothing;
 * - `transfer` tells nobody to send what a person has decided not to pay.
 */
export const SHARED_TABLES: Readonly<Record<string, readonly string[]>> = {
  checkout: ['checkout', 'refund', 'report', 'settle', 'treasury'],
  commitment: ['checkout', 'rates', 'report', 'treasury'],
  departure: ['chain', 'report'],
  departure_part: ['chain', 'report'],
  deposit_address: ['deposit-address', 'report', 'settle'],
  deposit_credit: ['deposit-address', 'report'],
  event: ['event', 'report'],
  ledger_account: ['ledger', 'report'],
  ledger_entry: ['ledger', 'rates', 'report'],
  ledger_posting: ['ledger', 'report'],
  past_window: ['checkout', 'rates'],
  rate: ['rates', 'report'],
  receipt: ['chain', 'report'],
  receipt_credit: ['checkout', 'rates', 'report'],
  refund: ['checkout', 'refund', 'report'],
  sending_act: ['sending', 'transfer'],
  settlement_rule: ['report', 'settlement-rule'],
  suspense: ['report', 'settle'],
  suspense_act: ['report', 'settle'],
  hedge_fill: ['report', 'treasury'],
  hedge_order: ['report', 'treasury'],
  provider_move: ['report', 'treasury'],
  provider_trade: ['report', 'treasury'],
  swap: ['rates', 'report', 'swap'],
  transfer: ['checkout', 'refund', 'report', 'settle', 'transfer'],
  undone_departure: ['chain', 'report'],
  undone_transfer: ['report', 'settle', 'transfer'],
};

/**
 * Tables without a declaration (src/db/table.ts): a trigger writes them, or one statement does out
 * of what it computes itself, so nobody would read a row type or a list of columns.
 */
export const NOT_DECLARED: readonly string[] = [
  'ledger_balance_part',
  'ledger_posting',
  'signing_turn',
  'told_cause',
  'webhook_lane',
];

/** Files of a folder that import themselves by way of others. */
export const FILES_IN_CIRCLES: Readonly<Record<string, number>> = {};

/** Functions of more than 70 lines, and how many they have. */
export const LONG_FUNCTIONS: Readonly<Record<string, number>> = {};

/** What only tests and measurements call. */
export const FOR_TESTS_ALONE: readonly string[] = [];

/** Names that two files export for two things. */
export const NAMES_TWICE: readonly string[] = [];
