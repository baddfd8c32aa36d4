// What npm run mutate:generated changes, and which tests have to notice: pure ones only, which need
// no database and take milliseconds. Files are named without their folder: they move.
import { globSync } from 'node:fs';
import process from 'node:process';
import { root } from './setup.mjs';

/** Every decide-*.ts, and the sums. */
export const FILES = [
  'decide-*',
  'charge/charge',
  'checkout-entries',
  'lock-of-receipt',
  'paid-share',
  'place-receipts',
  'release-credits',
  'value-receipts',
  'receipt-draft',
  'deposit-entries',
  'custody-entries',
  'transfer-entries',
  'sign-webhook',
  'check-entry',
  'ledger-entry',
  'ip-address',
  'verify-digest',
  'asset-amount',
  'decimal',
  'money/rate',
  'rounding',
  'bound-fee-rate',
  'departures-of',
  'select-coins',
  'transaction-size',
  'median-price',
  'quote',
  'quote-swap',
];
export const TESTS = [
  'decide-*',
  'charge/charge',
  'checkout-request',
  'checkout-entries',
  'custody-entries',
  'transfer-entries',
  'sign-webhook',
  'check-entry',
  'ledger-entry',
  'ip-address',
  'target-guard',
  'transaction-text',
  'verify-digest',
  'asset-amount',
  'decimal',
  'money/rate',
  'bound-fee-rate',
  'departures-of',
  'select-coins',
  'transaction-size',
  'median-price',
  'quote',
  'quote-swap',
];

const only = (process.env.QUITTANCE_MUTATE_ONLY ?? '').split(',');

export function filesOf(name) {
  return globSync(`src/**/${name}.ts`, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
}

/** Without the one that plays whole stories, seconds long: for each change that is too much. */
export function testsOf(name) {
  return globSync(`src/**/${name}.test.ts`, { cwd: root }).filter(
    (file) => !file.endsWith('decide-one-by-one.test.ts'),
  );
}

export default {
  testRunner: 'tap',
  plugins: ['@stryker-mutator/tap-runner'],
  mutate: FILES.flatMap(filesOf).filter((file) => only.some((text) => file.includes(text))),
  tap: {
    testFiles: TESTS.flatMap(testsOf),
    nodeArgs: ['--require', '{{hookFile}}', '--test-reporter=tap', '{{testFile}}'],
    forceBail: true,
  },
  coverageAnalysis: 'perTest',
  // Types are stripped by Node: there is nothing to compile, and TypeScript 7 has no API to ask.
  tsconfigFile: 'none',
  disableTypeChecks: true,
  // On a busy machine a test may take long; what never ends is still found.
  timeoutMS: 60_000,
  tempDirName: 'test-output/generated-mutants',
  ignorePatterns: ['/artifacts', '/bench', '/data', '/docs', '/test-output'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'test-output/generated-mutants.json' },
  thresholds: { high: 95, low: 85, break: 85 },
  allowConsoleColors: false,
};
