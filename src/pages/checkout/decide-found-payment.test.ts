import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { checkoutRecord, commitmentOn, receiptFor } from '#pages/demo/sample-record.ts';
import {
  decideFoundPayment,
  type FoundPayment,
  readTransactionText,
} from './decide-found-payment.ts';

const hash = '6f1c0a2ad49ad2a1c2f0f4e9b5b13dc4f9ab0d35b1fa3a0cb3a1f2f0b0e0b1c2';
const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE');
const stellar = commitmentOn('STELLAR', 'XLM:NATIVE');
const token = commitmentOn('ETHEREUM', 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
const ourAccount = { ...stellar.instruction, address: 'ours', destination: 'ours:7' };
const all = litecoin.arrivingUnits;
const half = all / 2n;

type Case = readonly [
  sentence: string,
  facts: {
    readonly text?: string;
    readonly changes?: Partial<CheckoutRecord>;
    readonly receipts?: readonly Receipt[];
    readonly behind?: readonly string[];
  },
  answer: FoundPayment,
];

const own = (changes: Partial<Receipt> = {}) => receiptFor(litecoin, changes);
/** Somebody else's: another checkout, another merchant. */
const foreign = (changes: Partial<Receipt> = {}) =>
  own({ purposeId: 'otherchecko1', instructionId: 'otherinstru1', destination: 'x', ...changes });
const ltc = { network: 'LITECOIN', assetId: 'LTC:NATIVE' };
const withLitecoin = { commitments: [litecoin] };
const withStellar = { commitments: [stellar] };
const paidBy = (...receipts: Receipt[]) => ({ changes: { ...withLitecoin, receipts }, receipts });

const TABLE: readonly Case[] = [
  ['text without a hash: unreadable', { text: 'hello' }, { kind: 'unreadable' }],
  [
    'in the mempool: seen, waiting',
    paidBy(own({ status: 'SEEN' })),
    { kind: 'seen', ...ltc, units: all, stage: 'waiting' },
  ],
  [
    'in a block: seen, confirming',
    paidBy(own()),
    { kind: 'seen', ...ltc, units: all, stage: 'confirming' },
  ],
  [
    'deep enough: seen, confirmed',
    paidBy(own({ status: 'FINAL' })),
    { kind: 'seen', ...ltc, units: all, stage: 'confirmed' },
  ],
  [
    'replaced: seen once, gone',
    paidBy(own({ status: 'GONE' })),
    { kind: 'seen', ...ltc, units: all, stage: 'gone' },
  ],
  [
    'taken back after it was credited: gone',
    paidBy(own({ creditedGeneration: 1, reversedGeneration: 1 })),
    { kind: 'seen', ...ltc, units: all, stage: 'gone' },
  ],
  [
    'half of it: wrong amount, and what is missing',
    paidBy(own({ units: half })),
    { kind: 'wrong-amount', ...ltc, units: half, difference: 'less', differenceUnits: all - half },
  ],
  [
    'two outputs of one transaction count together',
    paidBy(own({ units: half }), own({ id: 2n, units: all - half })),
    { kind: 'seen', ...ltc, units: all, stage: 'confirming' },
  ],
  [
    'the second part of two: seen, nothing is missing any more',
    {
      changes: {
        ...withLitecoin,
        receipts: [own({ units: half }), own({ id: 2n, units: all - half, transaction: 'y' })],
      },
      receipts: [own({ id: 2n, units: all - half })],
    },
    { kind: 'seen', ...ltc, units: all - half, stage: 'confirming' },
  ],
  [
    'what is gone or another asset does not count as having arrived',
    {
      changes: {
        ...withLitecoin,
        receipts: [
          own(),
          own({ id: 2n, status: 'GONE' }),
          own({ id: 3n, assetId: 'BTC:NATIVE' }),
          receiptFor(stellar, { id: 4n }),
        ],
      },
      receipts: [own()],
    },
    { kind: 'seen', ...ltc, units: all, stage: 'confirming' },
  ],
  [
    'one transaction that pays by two ways: what the first of them got',
    {
      changes: {
        commitments: [litecoin, stellar],
        receipts: [own(), receiptFor(stellar, { id: 2n })],
      },
      receipts: [own(), receiptFor(stellar, { id: 2n })],
    },
    { kind: 'seen', ...ltc, units: all, stage: 'confirming' },
  ],
  [
    'one output deep enough, one not yet: confirming',
    paidBy(own({ units: half, status: 'FINAL' }), own({ id: 2n, units: all - half })),
    { kind: 'seen', ...ltc, units: all, stage: 'confirming' },
  ],
  [
    'one output in a block, one not yet: waiting',
    paidBy(own({ units: half }), own({ id: 2n, units: all - half, status: 'SEEN' })),
    { kind: 'seen', ...ltc, units: all, stage: 'waiting' },
  ],
  [
    'one unit less than what is tolerated: wrong amount',
    {
      changes: {
        ...withLitecoin,
        underpaidTolerancePartsPerMillion: 10_000,
        receipts: [own({ units: (all * 99n) / 100n - 1n })],
      },
      receipts: [own({ units: (all * 99n) / 100n - 1n })],
    },
    {
      kind: 'wrong-amount',
      ...ltc,
      units: (all * 99n) / 100n - 1n,
      difference: 'less',
      differenceUnits: all - (all * 99n) / 100n + 1n,
    },
  ],
  [
    'one unit too much: wrong amount, and how much',
    paidBy(own({ units: all + 1n })),
    { kind: 'wrong-amount', ...ltc, units: all + 1n, difference: 'more', differenceUnits: 1n },
  ],
  [
    'less, but completed (tolerated or accepted): seen',
    {
      changes: {
        ...withLitecoin,
        state: 'COMPLETED',
        receipts: [own({ units: half, status: 'FINAL' })],
      },
      receipts: [own({ units: half, status: 'FINAL' })],
    },
    { kind: 'seen', ...ltc, units: half, stage: 'confirmed' },
  ],
  [
    'less than asked by what the merchant tolerates: seen',
    {
      changes: {
        ...withLitecoin,
        underpaidTolerancePartsPerMillion: 10_000,
        receipts: [own({ units: (all * 99n) / 100n })],
      },
      receipts: [own({ units: (all * 99n) / 100n })],
    },
    { kind: 'seen', ...ltc, units: (all * 99n) / 100n, stage: 'confirming' },
  ],
  [
    'another asset to the right place: wrong asset',
    {
      changes: { commitments: [token], receipts: [receiptFor(token, { assetId: 'ETH:NATIVE' })] },
      receipts: [receiptFor(token, { assetId: 'ETH:NATIVE' })],
    },
    { kind: 'wrong-asset', network: 'ETHEREUM', assetId: 'ETH:NATIVE' },
  ],
  [
    'paid for something else: elsewhere, and nothing more is said',
    { changes: withLitecoin, receipts: [foreign()] },
    { kind: 'elsewhere' },
  ],
  [
    'paid to a deposit address that has the same id: elsewhere',
    { changes: withLitecoin, receipts: [own({ purpose: 'deposit-address', destination: 'x' })] },
    { kind: 'elsewhere' },
  ],
  [
    'to our address on a sibling network: wrong network',
    {
      changes: { commitments: [token] },
      receipts: [
        foreign({
          chain: chainOf('test', 'BASE'),
          destination: token.instruction.address,
          instructionId: undefined,
          purposeId: undefined,
        }),
      ],
    },
    { kind: 'wrong-network', network: 'BASE' },
  ],
  [
    'the same address on a sibling network belongs to another checkout there: wrong network',
    {
      changes: { commitments: [token] },
      receipts: [
        foreign({ chain: chainOf('test', 'BASE'), destination: token.instruction.address }),
      ],
    },
    { kind: 'wrong-network', network: 'BASE' },
  ],
  [
    'to our account without the memo: no memo',
    {
      changes: withStellar,
      receipts: [
        foreign({
          chain: chainOf('test', 'STELLAR'),
          destination: stellar.instruction.address,
          instructionId: undefined,
          purposeId: undefined,
        }),
      ],
    },
    { kind: 'no-memo', network: 'STELLAR' },
  ],
  [
    'to our account with the memo of another checkout: elsewhere',
    {
      changes: withStellar,
      receipts: [
        foreign({
          chain: chainOf('test', 'STELLAR'),
          destination: `${stellar.instruction.address}:77`,
        }),
      ],
    },
    { kind: 'elsewhere' },
  ],
  [
    'unknown, written as only EVM wallets do, where none was asked for: another network',
    { text: `0x${hash}`, changes: withLitecoin },
    { kind: 'wrong-network', network: undefined },
  ],
  [
    'unknown, written with 0x where Ethereum was asked for: not found',
    { text: `0x${hash}`, changes: { commitments: [token] } },
    { kind: 'not-found', behind: [] },
  ],
  [
    'unknown, on the explorer of another network: wrong network',
    { text: `https://mempool.space/tx/${hash}`, changes: withLitecoin },
    { kind: 'wrong-network', network: 'BITCOIN' },
  ],
  ['unknown: not found', { changes: withLitecoin }, { kind: 'not-found', behind: [] }],
  [
    'unknown while the network is down: not found, and that we cannot see it',
    { changes: withLitecoin, behind: ['LITECOIN', 'BITCOIN'] },
    { kind: 'not-found', behind: ['LITECOIN'] },
  ],
  ['unknown, and nothing was chosen: not found', {}, { kind: 'not-found', behind: [] }],
  [
    'unknown, on the explorer of a network, and nothing was chosen: not found',
    { text: `https://mempool.space/tx/${hash}` },
    { kind: 'not-found', behind: [] },
  ],
  [
    'unknown, written with 0x where Ethereum is one of two: not found',
    { text: `0x${hash}`, changes: { commitments: [litecoin, token] } },
    { kind: 'not-found', behind: [] },
  ],
  [
    'to our account without the memo, where another way was chosen as well: no memo',
    {
      changes: { commitments: [litecoin, { ...stellar, instruction: ourAccount }] },
      receipts: [
        foreign({
          chain: chainOf('test', 'STELLAR'),
          destination: ourAccount.address,
          instructionId: undefined,
          purposeId: undefined,
        }),
      ],
    },
    { kind: 'no-memo', network: 'STELLAR' },
  ],
  [
    'to an account that is none of ours, where we have one there: elsewhere',
    {
      changes: { commitments: [{ ...stellar, instruction: ourAccount }] },
      receipts: [
        foreign({
          chain: chainOf('test', 'STELLAR'),
          destination: 'theirs:7',
          instructionId: undefined,
          purposeId: undefined,
        }),
      ],
    },
    { kind: 'elsewhere' },
  ],
];

for (const [sentence, { text = hash, changes = {}, receipts = [], behind = [] }, answer] of TABLE) {
  test(sentence, () => {
    const found = decideFoundPayment({
      record: checkoutRecord(changes),
      text: readTransactionText(text),
      receipts,
      behind: new Set(behind),
    });
    assert.deepEqual(found, answer);
  });
}
