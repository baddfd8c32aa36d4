import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashDomain,
  hashTypedData,
  parseAbi,
} from 'viem';
import {
  askSafeHash,
  executeCall,
  readExecution,
  safeDomain,
  safeTransactionHash,
  safeTypedData,
} from './safe-transaction.ts';

const ABI = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) returns (bool)',
  'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) returns (bytes32)',
]);
const NOBODY = `0x${'0'.repeat(40)}` as const;

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const;
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex);
const data = fc.uint8Array({ maxLength: 100 }).map(hex);
const number = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const call = fc.record({ to: address, value: number, data }, { noNullPrototype: true });
const turn = fc.record({
  safe: address,
  chainId: fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
  nonce: number,
});

test('any payment has the hash that EIP-712 gives it, and wallets are shown the same', () => {
  fc.assert(
    fc.property(call, turn, (paid, at) => {
      const typed = safeTypedData(paid, at) as unknown as Parameters<typeof hashTypedData>[0];
      assert.equal(safeTransactionHash(paid, at), hashTypedData(typed));
      const { domain, types } = typed as unknown as Parameters<typeof hashDomain>[0];
      assert.equal(hex(safeDomain(at)), hashDomain({ domain, types }));
    }),
    { numRuns: 200 },
  );
});

test('the calls are those of the ABI, byte for byte', () => {
  fc.assert(
    fc.property(call, turn, fc.uint8Array({ maxLength: 200 }), (paid, at, signatures) => {
      const { to, value, data: inner } = paid;
      const fixed = [to, value, inner, 0, 0n, 0n, 0n, NOBODY, NOBODY] as const;
      assert.equal(
        executeCall(paid, signatures),
        encodeFunctionData({
          abi: ABI,
          functionName: 'execTransaction',
          args: [...fixed, hex(signatures)],
        }),
      );
      const args = [...fixed, at.nonce] as const;
      assert.deepEqual(askSafeHash(paid, at), {
        to: at.safe,
        value: 0n,
        data: encodeFunctionData({ abi: ABI, functionName: 'getTransactionHash', args }),
      });
    }),
    { numRuns: 200 },
  );
});

test('what a call of execTransaction does is read, of whoever made it', () => {
  const fields = fc.tuple(call, fc.integer({ min: 0, max: 1 }), address, address);
  fc.assert(
    fc.property(fields, ([paid, operation, gasToken, refundReceiver]) => {
      const input = encodeFunctionData({
        abi: ABI,
        functionName: 'execTransaction',
        args: [
          ...([paid.to, paid.value, paid.data, operation, 5n, 6n, 7n] as const),
          ...([gasToken, refundReceiver, '0x1234'] as const),
        ],
      });
      const read = readExecution(input);
      assert.deepEqual(read, {
        call: paid,
        isDelegate: operation === 1,
        gasToken,
        refundReceiver: refundReceiver === NOBODY ? undefined : refundReceiver,
      });
    }),
    { numRuns: 100 },
  );
});

test('any bytes are no execution or one, and never an error', () => {
  const whole = executeCall({ to: NOBODY, value: 1n, data: '0x1234' }, Buffer.alloc(65));
  const cut = fc.integer({ min: 0, max: whole.length }).map((end) => whole.slice(0, end));
  const changed = fc
    .tuple(fc.integer({ min: 10, max: whole.length - 1 }), fc.constantFrom('0', '7', 'f'))
    .map(([at, digit]) => `${whole.slice(0, at)}${digit}${whole.slice(at + 1)}`);
  const noise = fc
    .uint8Array({ maxLength: 500 })
    .map((bytes) => `0x6a761202${hex(bytes).slice(2)}`);
  fc.assert(
    fc.property(fc.oneof(cut, changed, noise), (input) => {
      const read = readExecution(input);
      assert(read === undefined || /^0x[0-9a-f]{40}$/.test(read.call.to));
    }),
    { numRuns: 500 },
  );
  assert.equal(readExecution('0x'), undefined);
  const other = encodeAbiParameters([{ type: 'address' }], [getAddress(NOBODY)]) satisfies Hex;
  assert.equal(readExecution(`0xa9059cbb${other.slice(2)}`), undefined);
});
