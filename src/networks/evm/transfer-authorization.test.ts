// Transfers that payers sign (EIP-3009), held against viem, which signs and encodes them by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFunctionData, parseAbi, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Accepts, signedRequest, type Wishes } from '#test/support/sign-transfer.ts';
import { authorizedCall, domainSeparator, signerOfTransfer } from './transfer-authorization.ts';

const payer = privateKeyToAccount(`0x${'42'.repeat(32)}`);
const ASSET = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const ACCEPTS: Accepts = {
  scheme: 'exact',
  network: 'eip155:1',
  asset: ASSET,
  amount: '10000',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};
const DOMAIN = { name: 'USD Coin', version: '2', chainId: 1n, contract: ASSET.toLowerCase() };

async function transferOf(wishes: Wishes = {}) {
  const { paymentPayload } = await signedRequest(payer, ACCEPTS, 1_740_672_100, wishes);
  const { signature, authorization } = paymentPayload.payload;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    assetId: `USDC:${ASSET}`,
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    units: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
    signature: signature as string,
  };
}

test('the separator of USDC on Ethereum is the one that its contract answers', () => {
  // DOMAIN_SEPARATOR() of 0xA0b8...eB48 on Ethereum.
  assert.equal(
    domainSeparator(DOMAIN),
    '0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335',
  );
});

test('the payer is recovered from what viem signed', async () => {
  assert.equal(signerOfTransfer(DOMAIN, await transferOf()), payer.address.toLowerCase());
});

test('whatever was signed otherwise is of another signer, or of none', async () => {
  const transfer = await transferOf();
  const other = payer.address.toLowerCase().replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const changed = [
    { ...transfer, units: 9_999n },
    { ...transfer, to: other },
    { ...transfer, validBefore: transfer.validBefore + 1n },
    { ...transfer, nonce: `0x${'5b'.repeat(32)}` },
    await transferOf({ chainId: 8453 }),
    await transferOf({ name: 'USDC' }),
    { ...transfer, signature: `${transfer.signature.slice(0, -2)}1d` },
    { ...transfer, signature: `0x${'00'.repeat(64)}1b` },
    { ...transfer, signature: `0x${'ff'.repeat(64)}1c` },
    { ...transfer, signature: transfer.signature.slice(0, -2) },
  ];
  for (const one of changed) {
    assert.notEqual(signerOfTransfer(DOMAIN, one), payer.address.toLowerCase());
  }
});

test('the second spelling of a signature, with a high s, is none', async () => {
  const transfer = await transferOf();
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const [r, s, v] = [2, 66, 130].map((at, index) =>
    transfer.signature.slice(at, index === 2 ? undefined : at + 64),
  );
  const high = (order - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
  const signature = `0x${r}${high}${v === '1b' ? '1c' : '1b'}`;
  assert.equal(signerOfTransfer(DOMAIN, { ...transfer, signature }), undefined);
});

test('the call is the one that viem encodes', async () => {
  const transfer = await transferOf();
  const { r, s, yParity } = parseSignature(transfer.signature as `0x${string}`);
  const data = encodeFunctionData({
    abi: parseAbi([
      'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
    ]),
    args: [
      transfer.from as `0x${string}`,
      transfer.to as `0x${string}`,
      transfer.units,
      transfer.validAfter,
      transfer.validBefore,
      transfer.nonce as `0x${string}`,
      27 + yParity,
      r,
      s,
    ],
  });
  assert.equal(authorizedCall(transfer), data);
});
