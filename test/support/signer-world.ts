// A signer in this process, over a directory of its own, with a key of every family; and orders for
// it as the service would make them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-base';
import { silentLog } from '#base/log.ts';
import type { Environment } from '#catalog/chain.ts';
import { type EvmOrder, unsignedEvmTransaction } from '#networks/evm/unsigned-transaction.ts';
import { KEY_FAMILIES } from '#networks/signing/signing-keys.ts';
import { STELLAR_CHAINS } from '#networks/stellar/stellar-chain.ts';
import {
  type StellarOrder,
  unsignedStellarTransaction,
} from '#networks/stellar/unsigned-transaction.ts';
import { addressOfScript } from '#networks/utxo/output-script.ts';
import { BITCOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { unsignedXrplTransaction, type XrplOrder } from '#networks/xrpl/unsigned-transaction.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import { answerQuestion, type Signer } from '#signer/answer-question.ts';
import { newApproverPair } from '#signer/approval.ts';
import type { OpenKey } from '#signer/open-key.ts';
import type { SignerAnswer, SignerQuestion } from '#signer/protocol.ts';
import { readSignerSettings } from '#signer/rules.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { openSignerLog } from '#signer/signer-log.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { handOut, psbtSigner, smallOrder } from './psbt-signer.ts';
import { seededRandom } from './seeded-random.ts';

export const LOG_KEY = '5a'.repeat(32);
/** Figures that no key file may have: tests would take minutes with real ones. */
export const WEAK_SEAL = { memoryKib: 64, passes: 1 };
export const EVM_SECRET = '438e0c7cd125bf0356f195386fdbd67df89648b7cc307158a9e25699f9ed3a88';
export const EVM_ADDRESS = '0xb7e26a2076e14115584dD567d1772A23edDD258B';
export const EVM_RECEIVER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const USDC = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const STELLAR_PAIR = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7));
export const STELLAR_RECEIVER = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 9)).publicKey();
export const XRPL_SEED = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
export const XRPL_ADDRESS = 'rG31cLyErnqeVj2eomEjBZtq7PYaupGYzL';
export const XRPL_RECEIVER = 'rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w';
export const BITCOIN_RECEIVER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
export const START = '2030-01-01T00:00:00Z';
export const UTXO_SEED = 'aa'.repeat(32);
export const APPROVER = newApproverPair(seededRandom(9));

const caps = (environment: Environment, asset: string, most: string, fee?: string) => `
[[cap]]
environment = "${environment}"
asset = "${asset}"
per_transaction = "${most}"
per_day = "${most}"
${fee === undefined ? '' : `fee_per_transaction = "${fee}"`}
`;

/** Wide ones, so that a test that is about something else is about that. */
export const WIDE_RULES = [
  'signatures_per_minute = 10000',
  caps('live', 'ETH:NATIVE', '1000000', '1'),
  caps('live', USDC, '1000000'),
  caps('live', 'BTC:NATIVE', '1000000', '0.01'),
  caps('live', 'XLM:NATIVE', '1000000', '1'),
  caps('live', 'XRP:NATIVE', '1000000', '1'),
].join('\n');

export const UTXO = {
  wpkh: psbtSigner(BITCOIN_REGTEST, 'wpkh', Buffer.from(UTXO_SEED, 'hex')),
  tr: psbtSigner(BITCOIN_REGTEST, 'tr', Buffer.from(UTXO_SEED, 'hex')),
};

const key = (name: string, network: string, chain: string, secret: string, more: object = {}) =>
  KEY_FAMILIES.openKey(
    KEY_FAMILIES.keyToKeep(
      { name, environment: 'live', network, chain, secret, ...more },
      seededRandom(1),
    ),
  );

export const KEYS: readonly OpenKey[] = [
  key('evm', 'ETHEREUM', 'main', EVM_SECRET),
  key('xlm', 'STELLAR', 'test', STELLAR_PAIR.secret()),
  key('xrp', 'XRP_LEDGER', 'main', XRPL_SEED),
  key('btc', 'BITCOIN', 'regtest', UTXO_SEED),
  key('btc-taproot', 'BITCOIN', 'regtest', UTXO_SEED, { script: 'tr' }),
];

export type SignerWorld = {
  readonly signer: Signer;
  readonly clock: ManualClock;
  readonly directory: string;
  readonly logPath: string;
  ask(question: SignerQuestion): SignerAnswer;
  sign(order: SignOrder): SignerAnswer;
  /** As after a restart: everything it knows comes from its log. */
  restart(rules?: string): void;
  close(): void;
};

export function openSignerWorld(rules: string = WIDE_RULES): SignerWorld {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-signer-'));
  const clock = manualClock(START);
  const logPath = join(directory, 'log.jsonl');
  const open = (text: string): Signer => ({
    keys: KEYS,
    approvers: [{ name: 'second', publicKey: APPROVER.publicKey }],
    rules: readSignerSettings(text).rules,
    signerLog: openSignerLog(logPath, LOG_KEY, clock),
    clock,
    log: silentLog,
    refusals: { minute: 0n, count: 0 },
  });
  let signer = open(rules);
  return {
    get signer() {
      return signer;
    },
    clock,
    directory,
    logPath,
    ask: (question) => answerQuestion(signer, question),
    sign: (order) => answerQuestion(signer, { ask: 'sign', order: plain(order) }),
    restart(text = rules) {
      signer.signerLog.close();
      signer = open(text);
    },
    close() {
      signer.signerLog.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type Asked = Extract<SignerQuestion, { ask: 'sign' }>['order'];

/** As it comes from a socket. */
export function plain(order: SignOrder): Asked {
  const payments = order.payments.map((one) => ({ ...one, account: { ...one.account } }));
  const { beside, ...rest } = order;
  const { spends, ...facts } = order.facts;
  return {
    ...rest,
    ...(beside && { beside: [...beside] }),
    payments,
    facts: spends === undefined ? facts : { ...facts, spends: [...spends] },
  };
}

type Wanted = {
  readonly id?: string;
  readonly units?: bigint;
  readonly assetId?: string;
  readonly account?: ReceivingAccount;
};

const base = { environment: 'live', kind: 'PAY' } as const;

/** Of 21,000 gas, or 90,000 for a token, at 10 gwei. */
export function evmOrder(
  { id = 'evm-1', units = 10n ** 15n, assetId = 'ETH:NATIVE', account }: Wanted = {},
  more: Partial<EvmOrder> = {},
): SignOrder {
  const payment = {
    network: 'ETHEREUM',
    assetId,
    account: account ?? { address: EVM_RECEIVER },
    units,
  };
  const order: EvmOrder = {
    payment,
    chainId: 1n,
    sender: EVM_ADDRESS,
    nonce: 5n,
    gasLimit: assetId === 'ETH:NATIVE' ? 21_000n : 90_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
    ...more,
  };
  return {
    ...base,
    id,
    network: 'ETHEREUM',
    payments: [{ assetId, units, account: payment.account }],
    feeUnits: order.gasLimit * order.maxFeePerGas,
    facts: { source: EVM_ADDRESS, sequence: order.nonce },
    unsigned: unsignedEvmTransaction(order).unsignedTransaction,
  };
}

export function stellarOrder(
  { id = 'xlm-1', units = 15_000_000n, assetId = 'XLM:NATIVE', account }: Wanted = {},
  more: Partial<StellarOrder> = {},
): SignOrder {
  const paid = account ?? { account: STELLAR_RECEIVER, memo: '12345', memoType: 'text' };
  const order: StellarOrder = {
    payment: { network: 'STELLAR', assetId, account: paid, units },
    delivery: { by: 'payment' },
    chain: STELLAR_CHAINS.test,
    source: STELLAR_PAIR.publicKey(),
    sequence: 77n,
    feeUnits: 1_000n,
    expiresAt: Temporal.Instant.from(START).add({ minutes: 5 }),
    ...more,
  };
  return {
    ...base,
    id,
    network: 'STELLAR',
    payments: [{ assetId, units, account: paid }],
    feeUnits: 1_000n,
    facts: { source: STELLAR_PAIR.publicKey(), sequence: 77n },
    unsigned: unsignedStellarTransaction(order).unsignedTransaction,
  };
}

export function xrplOrder(
  { id = 'xrp-1', units = 25_000_000n, account }: Wanted = {},
  more: Partial<XrplOrder> = {},
): SignOrder {
  const paid = account ?? { account: XRPL_RECEIVER, destinationTag: '7' };
  const assetId = 'XRP:NATIVE';
  const order: XrplOrder = {
    payment: { network: 'XRP_LEDGER', assetId, account: paid, units },
    source: XRPL_ADDRESS,
    turn: { sequence: 9n },
    feeUnits: 20n,
    lastLedger: 80_000_000n,
    ...more,
  };
  return {
    ...base,
    id,
    network: 'XRP_LEDGER',
    payments: [{ assetId, units, account: paid }],
    feeUnits: 20n,
    facts: { source: XRPL_ADDRESS, ...order.turn },
    unsigned: unsignedXrplTransaction(order).unsignedTransaction,
  };
}

/** Two coins of 100,000 pay 120,000; 79,000 come back, 1,000 are the fee. */
export function utxoOrder(
  { id = 'btc-1' }: Wanted = {},
  more: Parameters<typeof smallOrder>[3] = {},
  signer = UTXO.wpkh,
): SignOrder {
  const order = smallOrder(signer, BITCOIN_REGTEST, BITCOIN_RECEIVER, more);
  const spent = order.inputs.reduce((sum, { units }) => sum + units, 0n);
  const given = [...order.payments, ...(order.change ? [order.change] : [])];
  return {
    ...base,
    id,
    network: 'BITCOIN',
    payments: order.payments.map(({ script, units }) => {
      const address = addressOfScript(script, BITCOIN_REGTEST) ?? '';
      return { assetId: 'BTC:NATIVE', units, account: { address } };
    }),
    feeUnits: spent - given.reduce((sum, { units }) => sum + units, 0n),
    facts: { spends: order.inputs.map(({ transaction, vout }) => `${transaction}:${vout}`) },
    unsigned: Buffer.from(handOut(signer, BITCOIN_REGTEST, order)).toString('base64'),
  };
}

/** The directory of a signer that a process can be started over. */
export function writeRules(directory: string, rules: string): void {
  writeFileSync(join(directory, 'signer.toml'), rules, { mode: 0o600 });
}
