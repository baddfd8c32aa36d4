// A link to an app says what the payment link says: receiver, amount, asset, network and mark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Commitment } from '#checkout/checkout.ts';
import { commitmentOn } from '#pages/demo/sample-record.ts';
import { type WalletApp, walletApps } from './wallet-apps.ts';

const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const USDC = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

function appsFor(
  network: string,
  assetId: string,
  units: bigint,
  paymentUri: string,
  instruction: Partial<Commitment['instruction']> = {},
): WalletApp[] {
  const base = commitmentOn(network, assetId, 'live');
  const commitment = { ...base, instruction: { ...base.instruction, ...instruction } };
  const due = { commitment, units, paymentUri, anchorFeeUnits: 0n };
  return walletApps({ ...due, unifiedUri: undefined, unifiable: undefined });
}

const cases: readonly [string, WalletApp[], WalletApp[]][] = [
  [
    'Ether',
    appsFor(
      'ETHEREUM',
      'ETH:NATIVE',
      15n * 10n ** 16n,
      `ethereum:${EVM}@1?value=150000000000000000`,
      {
        address: EVM,
      },
    ),
    [
      { name: 'MetaMask', url: `https://link.metamask.io/send/${EVM}@1?value=150000000000000000` },
      {
        name: 'Trust Wallet',
        url: `https://link.trustwallet.com/send?asset=c60&address=${EVM}&amount=0.15`,
      },
    ],
  ],
  [
    'a token on Ethereum',
    appsFor(
      'ETHEREUM',
      USDC,
      1_500_000n,
      `ethereum:${USDC.slice(5)}@1/transfer?address=${EVM}&uint256=1500000`,
      { address: EVM },
    ),
    [
      {
        name: 'MetaMask',
        url: `https://link.metamask.io/send/${USDC.slice(5)}@1/transfer?address=${EVM}&uint256=1500000`,
      },
      {
        name: 'Trust Wallet',
        url: `https://link.trustwallet.com/send?asset=c60_t${USDC.slice(5)}&address=${EVM}&amount=1.5`,
      },
    ],
  ],
  [
    'XRP with a destination tag, also the tag 0',
    appsFor('XRP_LEDGER', 'XRP:NATIVE', 2_500_000n, 'ripple:rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', {
      address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
      destinationTag: 0n,
    }),
    [
      {
        name: 'Xaman',
        url: 'https://xaman.app/detect/request:rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?amount=2.5&dt=0&network=XRPL',
      },
      {
        name: 'Trust Wallet',
        url: 'https://link.trustwallet.com/send?asset=c144&address=rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh&amount=2.5&memo=0',
      },
    ],
  ],
  [
    'lumens with a memo that could be another parameter',
    appsFor('STELLAR', 'XLM:NATIVE', 10_000_000n, 'web+stellar:pay?destination=G', {
      address: 'G',
      memo: 'a&amount=9',
    }),
    [
      {
        name: 'Trust Wallet',
        url: 'https://link.trustwallet.com/send?asset=c148&address=G&amount=1&memo=a%26amount%3D9',
      },
    ],
  ],
  [
    'an invoice of Lightning',
    appsFor('LIGHTNING', 'BTC:NATIVE', 1n, 'lightning:lnbc10n1x'),
    [{ name: 'Phoenix', url: 'phoenix:lightning:lnbc10n1x' }],
  ],
  [
    'Ether on Base',
    appsFor('BASE', 'ETH:NATIVE', 1n, `ethereum:${EVM}@8453?value=1`, { address: EVM }),
    [
      { name: 'MetaMask', url: `https://link.metamask.io/send/${EVM}@8453?value=1` },
      {
        name: 'Coinbase Wallet',
        url: 'https://wallet.coinbase.com/base-pay?p=AAgBEIVCGAFaIggCWhkKFFKQhAAJhSeIbg9wMAaYV9LkFp7nEgEBIgMxLjA',
      },
    ],
  ],
  ['what is not configured any more', appsFor('ETHEREUM', 'ETH:NATIVE', 1n, ''), []],
];

for (const [what, actual, expected] of cases) {
  test(`${what} is opened in ${expected.length} apps`, () => assert.deepEqual(actual, expected));
}
