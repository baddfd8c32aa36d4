// Safes on a real EVM node, made of the contracts that Safe has published, and what their owners
// and everybody else do with them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { AnvilNode } from './anvil-node.ts';

const NOBODY = `0x${'0'.repeat(40)}` as const;
const ABI = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address handler, address paymentToken, uint256 payment, address receiver)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) returns (bool)',
]);

const PUBLISHED = {
  '1.3.0': ['@gnosis.pm', 'GnosisSafe', 'proxies/GnosisSafeProxy'],
  '1.4.1': ['@safe-global', 'Safe', 'proxies/SafeProxy'],
} as const;
export type SafeVersion = keyof typeof PUBLISHED;

/** Keys that are known to everybody, for these tests alone. */
export function ownerKeys(count: number): readonly PrivateKeyAccount[] {
  return Array.from({ length: count }, (_, at) =>
    privateKeyToAccount(
      `0x${String(at + 1)
        .padStart(2, '0')
        .repeat(32)}`,
    ),
  );
}

/** Its address. Every call to it is mined at once. */
export async function deploySafe(
  node: AnvilNode,
  version: SafeVersion,
  owners: readonly PrivateKeyAccount[],
  threshold: number,
): Promise<Hex> {
  const [, contract, proxy] = PUBLISHED[version];
  const singleton = await create(node, await codeOf(version, contract));
  const argument = encodeAbiParameters([{ type: 'address' }], [singleton]).slice(2);
  const safe = await create(node, `${await codeOf(version, proxy)}${argument}`);
  const addresses = owners.map(({ address }) => address);
  const args = [addresses, BigInt(threshold), NOBODY, '0x', NOBODY, NOBODY, 0n, NOBODY] as const;
  await node.send({
    to: safe,
    data: encodeFunctionData({ abi: ABI, functionName: 'setup', args }),
  });
  await node.mine(1);
  return safe;
}

async function codeOf(version: SafeVersion, contract: string): Promise<string> {
  const [scope] = PUBLISHED[version];
  const given = process.env.QUITTANCE_TEST_SAFE;
  const modules =
    given === undefined ? join(import.meta.dirname, 'safe/node_modules') : join(given, '..');
  const [name = ''] = contract.split('/').slice(-1);
  const built = join(modules, scope, 'safe-contracts/build/artifacts/contracts');
  const text = await readFile(join(built, `${contract}.sol`, `${name}.json`), 'utf8');
  return (JSON.parse(text) as { bytecode: string }).bytecode;
}

async function create(node: AnvilNode, data: string): Promise<Hex> {
  const transaction = { from: node.payer, data, gas: '0x7a1200' };
  const hash = await node.rpc('eth_sendTransaction', transaction);
  await node.mine(1);
  const receipt = (await node.rpc('eth_getTransactionReceipt', hash)) as Record<string, Hex>;
  assert.equal(receipt.status, '0x1');
  assert(receipt.contractAddress !== undefined && receipt.contractAddress !== null);
  return receipt.contractAddress;
}

const FIELDS = [
  ...[
    ['to', 'address'],
    ['value', 'uint256'],
    ['data', 'bytes'],
    ['operation', 'uint8'],
  ],
  ...[
    ['safeTxGas', 'uint256'],
    ['baseGas', 'uint256'],
    ['gasPrice', 'uint256'],
    ['gasToken', 'address'],
    ['refundReceiver', 'address'],
    ['nonce', 'uint256'],
  ],
].map(([name = '', type = '']) => ({ name, type }));

export type SafeAct = {
  readonly to: string;
  readonly value?: bigint;
  readonly data?: Hex;
  readonly nonce: bigint;
  /** Above zero: what fails inside uses the nonce all the same. */
  readonly safeTxGas?: bigint;
};

/** As the owners do it without us: signed by these, and sent by the payer. Gives the hash. */
export async function actAsOwners(
  node: AnvilNode,
  safe: Hex,
  owners: readonly PrivateKeyAccount[],
  { to, value = 0n, data = '0x', nonce, safeTxGas = 0n }: SafeAct,
): Promise<string> {
  const fixed = { operation: 0, baseGas: 0n, gasPrice: 0n, gasToken: NOBODY };
  const message = { to, value, data, safeTxGas, ...fixed, refundReceiver: NOBODY, nonce };
  const sorted = [...owners].sort((one, other) =>
    one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1,
  );
  const signatures = await Promise.all(
    sorted.map((owner) =>
      owner.signTypedData({
        domain: { chainId: 31_337, verifyingContract: safe },
        types: { SafeTx: FIELDS },
        primaryType: 'SafeTx',
        message,
      }),
    ),
  );
  const joined = `0x${signatures.map((one) => one.slice(2)).join('')}` as const;
  const args = [
    ...([to as Hex, value, data, 0, safeTxGas, 0n, 0n, NOBODY, NOBODY] as const),
    joined,
  ] as const;
  return node.send({
    to: safe,
    data: encodeFunctionData({ abi: ABI, functionName: 'execTransaction', args }),
  });
}
