// What npm run mutate:generated changes, and which tests have to notice: pure ones only, which need
// no database and take milliseconds.
import process from 'node:process';

const FILES = [
  'src/checkout/charge.ts',
  'src/checkout/checkout-entries.ts',
  'src/pages/checkout/decide-found-payment.ts',
  'src/checkout/decide-paid.ts',
  'src/checkout/decide-refund-payment.ts',
  'src/checkout/decide-settlement.ts',
  'src/checkout/lock-of-receipt.ts',
  'src/checkout/paid-share.ts',
  'src/checkout/place-receipts.ts',
  'src/checkout/release-credits.ts',
  'src/checkout/value-receipts.ts',
  'src/deposit/decide-finality.ts',
  'src/deposit/decide-left-out.ts',
  'src/deposit-address/decide-deposits.ts',
  'src/deposit-address/deposit-entries.ts',
  'src/event/decide-delivery.ts',
  'src/webhook/sign-webhook.ts',
  'src/ledger/check-entry.ts',
  'src/ledger/ledger-entry.ts',
  'src/access/ip-address.ts',
  'src/api/http/verify-digest.ts',
  'src/money/asset-amount.ts',
  'src/money/decimal.ts',
  'src/money/rate.ts',
  'src/money/rounding.ts',
  'src/networks/xrpl/decide-income.ts',
  'src/rates/median-price.ts',
  'src/rates/quote.ts',
  'src/refund/decide-refund.ts',
  'src/swap/quote-swap.ts',
  'src/transfer/transfer-entries.ts',
];
const TESTS = [
  'src/checkout/{charge,checkout-request,checkout-entries,decide-*}.test.ts',
  'src/deposit/decide-*.test.ts',
  'src/pages/checkout/decide-found-payment.test.ts',
  'src/deposit-address/decide-deposits.test.ts',
  'src/event/decide-delivery.test.ts',
  'src/ledger/{check-entry,ledger-entry}.test.ts',
  'src/access/ip-address.test.ts',
  'src/api/http/verify-digest.test.ts',
  'src/money/{asset-amount,decimal,rate}.test.ts',
  'src/networks/xrpl/decide-income.test.ts',
  'src/rates/{median-price,quote}.test.ts',
  'src/refund/decide-refund.test.ts',
  'src/swap/quote-swap.test.ts',
  'src/transfer/transfer-entries.test.ts',
  'src/webhook/sign-webhook.test.ts',
];

const only = (process.env.QUITTANCE_MUTATE_ONLY ?? '').split(',');

export default {
  testRunner: 'tap',
  plugins: ['@stryker-mutator/tap-runner'],
  mutate: FILES.filter((file) => only.some((text) => file.includes(text))),
  tap: {
    testFiles: TESTS,
    nodeArgs: ['--require', '{{hookFile}}', '--test-reporter=tap', '{{testFile}}'],
    forceBail: true,
  },
  coverageAnalysis: 'perTest',
  // Types are stripped by Node: there is nothing to compile, and TypeScript 7 has no API to ask.
  tsconfigFile: 'none',
  disableTypeChecks: true,
  timeoutMS: 20_000,
  tempDirName: 'test-output/generated-mutants',
  ignorePatterns: ['/artifacts', '/bench', '/data', '/docs', '/test', '/test-output'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'test-output/generated-mutants.json' },
  thresholds: { high: 95, low: 85, break: 85 },
  allowConsoleColors: false,
};
