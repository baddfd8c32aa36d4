import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import {
  concatHex,
  encodeFunctionData,
  getAddress,
  keccak256,
  parseAbi,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  toRlp,
} from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { Refusal } from '#base/refusal.ts';
import type { OutgoingPayment } from '#networks/outgoing-payment.ts';
import { readSignedEvmPayment } from './signed-transaction.ts';
import { type EvmOrder, unsignedEvmTransaction } from './unsigned-transaction.ts';

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const KEY = `0x${'1f'.repeat(32)}` as const;
const signer = privateKeyToAccount(KEY);
const RECEIVER = getAddress('0x00000000219ab540356cbb839cbe05303d7705fa');
const OTHER = getAddress('0xd8da6bf26964af9d7eed9e03e53415d37aa96045');

const order: EvmOrder = {
  payment: {
    network: 'ETHEREUM',
    assetId: 'ETH:NATIVE',
    account: { address: RECEIVER },
    units: 5n * 10n ** 17n,
  },
  chainId: 1n,
  sender: signer.address,
  nonce: 7n,
  gasLimit: 21_000n,
  maxFeePerGas: 30n * 10n ** 9n,
  maxPriorityFeePerGas: 10n ** 9n,
};
const tokenOrder: EvmOrder = {
  ...order,
  gasLimit: 90_000n,
  payment: { ...order.payment, assetId: `USDC:${USDC}`, units: 12_500_000n },
};

function transferData(to: `0x${string}`, units: bigint) {
  const abi = parseAbi(['function transfer(address to, uint256 units) returns (bool)']);
  return encodeFunctionData({ abi, functionName: 'transfer', args: [to, units] });
}

/** The same payment as another library makes it. */
function asViem({ payment, ...rest }: EvmOrder): TransactionSerializableEIP1559 {
  const receiver = payment.account.address as `0x${string}`;
  const { maxFeePerGas, maxPriorityFeePerGas } = rest;
  return {
    type: 'eip1559',
    chainId: Number(rest.chainId),
    nonce: Number(rest.nonce),
    gas: rest.gasLimit,
    maxFeePerGas,
    maxPriorityFeePerGas,
    ...(payment.assetId === 'ETH:NATIVE'
      ? { to: receiver, value: payment.units }
      : { to: USDC, value: 0n, data: transferData(receiver, payment.units) }),
  };
}

function refusalOf(text: string, ordered: EvmOrder = order): Refusal {
  try {
    readSignedEvmPayment(text, ordered);
  } catch (error) {
    assert(error instanceof Refusal, String(error));
    return error;
  }
  throw new Error('it was taken');
}

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`));
const orders: fc.Arbitrary<EvmOrder> = fc
  .record({
    isToken: fc.boolean(),
    receiver: address,
    units: fc.bigInt({ min: 1n, max: 2n ** 200n }),
    chainId: fc.constantFrom(1n, 31_337n, 11_155_420n),
    nonce: fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }),
    gasLimit: fc.bigInt({ min: 21_000n, max: 2n ** 40n }),
    maxFeePerGas: fc.bigInt({ min: 1n, max: 2n ** 80n }),
    share: fc.bigInt({ min: 0n, max: 100n }),
  })
  .map(({ isToken, receiver, units, maxFeePerGas, share, ...rest }) => ({
    ...rest,
    sender: signer.address,
    maxFeePerGas,
    maxPriorityFeePerGas: (maxFeePerGas * share) / 100n,
    payment: {
      network: 'ETHEREUM',
      assetId: isToken ? `USDC:${USDC}` : 'ETH:NATIVE',
      account: { address: receiver },
      units,
    },
  }));

test('the unsigned transaction is the one of viem, whatever is ordered', () => {
  fc.assert(
    fc.property(orders, (ordered) => {
      const unsigned = unsignedEvmTransaction(ordered);
      const expected = serializeTransaction(asViem(ordered));
      assert.equal(unsigned.unsignedTransaction, expected);
      assert.equal(unsigned.signingHash, keccak256(expected));
      assert.equal(BigInt(unsigned.json.value ?? ''), asViem(ordered).value);
      assert.equal(unsigned.json.to, asViem(ordered).to?.toLowerCase());
      assert.equal(unsigned.json.data, asViem(ordered).data ?? '0x');
    }),
  );
});

test('what viem signs for the order is read, with its hash', async () => {
  await fc.assert(
    fc.asyncProperty(orders, async (ordered) => {
      const text = await signer.signTransaction(asViem(ordered));
      const { maxFeePerGas, maxPriorityFeePerGas } = ordered;
      assert.deepEqual(readSignedEvmPayment(` ${text.slice(2).toUpperCase()}\n`, ordered), {
        signedTransaction: text,
        transaction: keccak256(text),
        maxFeePerGas,
        maxPriorityFeePerGas,
      });
    }),
    { numRuns: 30 },
  );
});

test('forms for a wallet: JSON, fields and a link of EIP-681', () => {
  const { json, fields, uri } = unsignedEvmTransaction(tokenOrder);
  assert.deepEqual(json, {
    type: '0x2',
    from: signer.address,
    to: USDC.toLowerCase(),
    value: '0x0',
    data: transferData(RECEIVER, 12_500_000n),
    gas: '0x15f90',
    nonce: '0x7',
    maxFeePerGas: '0x6fc23ac00',
    maxPriorityFeePerGas: '0x3b9aca00',
    chainId: '0x1',
  });
  assert.deepEqual(fields, {
    receiver: RECEIVER,
    amount: '12.5',
    assetCode: 'USDC',
    contract: USDC,
  });
  assert.equal(uri, `ethereum:${USDC}@1/transfer?address=${RECEIVER}&uint256=12500000`);
  const native = unsignedEvmTransaction(order);
  assert.equal(native.uri, `ethereum:${RECEIVER}@1?value=500000000000000000`);
  assert.equal(native.fields.contract, undefined);
});

test('each difference from the order is a sentence of its own', async () => {
  const signed = (changed: object) => signer.signTransaction({ ...asViem(order), ...changed });
  for (const [changed, sentence] of [
    [{ chainId: 137 }, 'the chain id is 137; ordered is 1'],
    [{ nonce: 8 }, 'the nonce is 8; ordered is 7'],
    [{ gas: 22_000n }, 'the gas limit is 22000; ordered is 21000'],
    [
      { maxFeePerGas: order.maxFeePerGas + 1n },
      'the fee for each gas is 30000000001; ordered are at most 30000000000',
    ],
    [
      { maxPriorityFeePerGas: order.maxPriorityFeePerGas + 1n },
      'the tip for each gas is 1000000001; ordered are at most 1000000000',
    ],
    [{ to: OTHER }, `the receiver is ${OTHER.toLowerCase()}; ordered is ${RECEIVER.toLowerCase()}`],
    [
      { value: 5n * 10n ** 18n },
      'the amount in wei is 5000000000000000000; ordered is 500000000000000000',
    ],
    [{ data: '0x00' }, 'it calls a contract; ordered is a plain transfer'],
    [
      { accessList: [{ address: OTHER, storageKeys: [] }] },
      'it has an access list; ordered is none',
    ],
  ] as const) {
    const refusal = refusalOf(await signed(changed));
    assert.equal(refusal.code, 'signed_transaction_differs');
    assert.deepEqual(refusal.details, [sentence]);
  }
  const many = refusalOf(await signed({ nonce: 9, value: 1n, to: OTHER }));
  assert.equal(many.details.length, 3);
  const stranger = privateKeyToAccount(`0x${'2e'.repeat(32)}`);
  const { details } = refusalOf(await stranger.signTransaction(asViem(order)));
  assert.deepEqual(details, [
    `the sender is ${stranger.address.toLowerCase()}; ordered is ${signer.address.toLowerCase()}`,
  ]);
});

test('a transfer of a token differs by contract, receiver, units or call', async () => {
  const signed = (changed: object) => signer.signTransaction({ ...asViem(tokenOrder), ...changed });
  for (const [changed, sentence] of [
    [
      { to: OTHER },
      `the contract of USDC is ${OTHER.toLowerCase()}; ordered is ${USDC.toLowerCase()}`,
    ],
    [{ value: 1n }, 'the amount in wei is 1; ordered is 0'],
    [
      { data: transferData(OTHER, 12_500_000n) },
      `the receiver is ${OTHER.toLowerCase()}; ordered is ${RECEIVER.toLowerCase()}`,
    ],
    [
      { data: transferData(RECEIVER, 12_500_001n) },
      'the amount in units is 12500001; ordered is 12500000',
    ],
    [
      { data: `${transferData(RECEIVER, 12_500_000n)}00` },
      'it does not call transfer(address,uint256), as was ordered',
    ],
    [
      { data: transferData(RECEIVER, 12_500_000n).replace('a9059cbb', '095ea7b3') },
      'it does not call transfer(address,uint256), as was ordered',
    ],
  ] as const) {
    assert.deepEqual(refusalOf(await signed(changed), tokenOrder).details, [sentence]);
  }
});

test('lower caps than ordered are taken, and given back', async () => {
  const cheap = { maxFeePerGas: 20n * 10n ** 9n, maxPriorityFeePerGas: 0n };
  const read = readSignedEvmPayment(
    await signer.signTransaction({ ...asViem(order), ...cheap }),
    order,
  );
  assert.deepEqual([read.maxFeePerGas, read.maxPriorityFeePerGas], [20n * 10n ** 9n, 0n]);
});

test('other kinds of transactions are refused by name', async () => {
  const { to, value, gas, nonce } = asViem(order);
  const simple = { to, value, gas, nonce, chainId: 1, gasPrice: 1n } as const;
  const legacy = await signer.signTransaction({ type: 'legacy', ...simple });
  assert.match(refusalOf(legacy).message, /old kind with one price of gas; sign it as EIP-1559/);
  const listed = await signer.signTransaction({ type: 'eip2930', ...simple });
  assert.match(refusalOf(listed).message, /type 1, with an access list .* \(EIP-2930\)/);
  assert.match(refusalOf('0x04c0').message, /type 4, that gives the account to a contract/);
  assert.match(refusalOf('0x7fc0').message, /type 127, that is not known/);
  const unsigned = unsignedEvmTransaction(order).unsignedTransaction;
  assert.equal(refusalOf(unsigned).message, 'it is not signed yet');
  const { to: _, ...creating } = asViem(order);
  const created = await signer.signTransaction({ ...creating, data: '0x6000' });
  assert.equal(refusalOf(created).message, 'it creates a contract and pays nobody');
});

const FIELDS = ['0x01', '0x07', '0x3b9aca00', '0x06fc23ac00', '0x5208', RECEIVER] as const;

/** The order in other bytes than it should have, and signed so. */
async function signedSo(
  changed: Readonly<Record<number, `0x${string}`>>,
  parity?: `0x${string}`,
): Promise<string> {
  const items: readonly `0x${string}`[] = [...FIELDS, '0x06f05b59d3b20000', '0x'];
  const fields = [...items.map((item, at) => changed[at] ?? item), []];
  const hash = keccak256(concatHex(['0x02', toRlp(fields)]));
  const { r, s, yParity } = await sign({ hash, privateKey: KEY });
  const said = parity ?? (yParity === 0 ? '0x' : '0x01');
  return concatHex(['0x02', toRlp([...fields, said, r, s])]);
}

test('numbers with leading zeros or too many bytes, and parities that are none, are refused', async () => {
  assert.equal(readSignedEvmPayment(await signedSo({}), order).maxFeePerGas, order.maxFeePerGas);
  const whole = 'it is no whole signed transaction';
  for (const [at, value] of [
    [0, '0x0001'],
    [1, '0x0007'],
    [1, `0x${'01'.repeat(9)}`],
    [2, '0x003b9aca00'],
    [3, `0x${'01'.repeat(33)}`],
    [4, '0x005208'],
    [5, `${RECEIVER}00`],
    [6, '0x0006f05b59d3b20000'],
  ] as const) {
    assert.equal(refusalOf(await signedSo({ [at]: value })).message, whole, `${at}`);
  }
  for (const parity of ['0x02', '0x1b', '0x00'] as const) {
    assert.equal(refusalOf(await signedSo({}, parity)).message, whole, parity);
  }
});

test('a tip above the whole fee is refused as nodes refuse it', async () => {
  const text = await signedSo({ 3: '0x05' });
  assert.match(refusalOf(text).message, /tip is more than its whole fee/);
  assert.throws(
    () => unsignedEvmTransaction({ ...order, maxFeePerGas: 5n }),
    /the tip cannot be more than the whole fee/,
  );
});

test('a signature with a high s, which says the same, is refused', async () => {
  const text = await signer.signTransaction(asViem(order));
  const { r, s, yParity, ...rest } = parseTransaction(text);
  const { n } = secp256k1.Point.CURVE();
  const high = `0x${(n - BigInt(s ?? 0)).toString(16)}` as const;
  const turned = serializeTransaction(
    { ...rest, type: 'eip1559' } as TransactionSerializableEIP1559,
    { r: r ?? '0x', s: high, yParity: 1 - (yParity ?? 0) },
  );
  assert.match(refusalOf(turned).message, /high s, which no node takes \(EIP-2\)/);
});

test('no changed byte ends as another payment: it is refused, and never fails otherwise', async () => {
  const text = await signer.signTransaction(asViem(tokenOrder));
  const bytes = Buffer.from(text.slice(2), 'hex');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }),
      (edits) => {
        const changed = Buffer.from(bytes);
        for (const [place, byte] of edits) changed[place % changed.length] = byte;
        fc.pre(!changed.equals(bytes));
        refusalOf(`0x${changed.toString('hex')}`, tokenOrder);
      },
    ),
    { numRuns: 1000 },
  );
  for (let length = 0; length < bytes.length; length += 1) {
    refusalOf(bytes.subarray(0, length).toString('hex'), tokenOrder);
  }
  refusalOf(`${text}00`, tokenOrder);
});

test('no text fails otherwise than as a refusal, and no long one is read', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.uint8Array().map((bytes) => `0x02${Buffer.from(bytes).toString('hex')}`),
      ),
      (text) => {
        assert.equal(refusalOf(text).code, 'signed_transaction_invalid');
      },
    ),
  );
  assert.match(refusalOf('ab'.repeat(10_000)).message, /of at most 16384 characters/);
});

const impossible: readonly (readonly [what: string, Partial<OutgoingPayment>, RegExp])[] = [
  ['to nobody', { account: { address: `0x${'0'.repeat(40)}` } }, /address of nobody/],
  ['to the contract of the token', { account: { address: USDC } }, /contract of USDC itself/],
  ['to a mistyped address', { account: { address: RECEIVER.replace('a', 'A') } }, /right checksum/],
  ['without a receiver', { account: {} }, /right checksum/],
  ['of nothing', { units: 0n }, /above zero/],
  ['of more than there can be', { units: 2n ** 256n }, /256 bits/],
  ['of an asset of another network', { assetId: 'XRP:NATIVE' }, /does not carry XRP:NATIVE/],
];
for (const [what, payment, sentence] of impossible) {
  test(`a payment ${what} is never made`, () => {
    const wrong = { ...tokenOrder, payment: { ...tokenOrder.payment, ...payment } };
    assert.throws(
      () => unsignedEvmTransaction(wrong),
      (error) => {
        assert(error instanceof Refusal);
        assert.equal(error.code, 'payment_not_sendable');
        assert.match(error.message, sentence);
        return true;
      },
    );
  });
}
