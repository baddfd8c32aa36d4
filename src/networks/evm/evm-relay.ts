// What a payer has signed (EIP-3009), as a transaction of an account of ours that pays the gas, and
// what became of it. Anybody may send what was signed, so another transaction can come before ours:
// that one counts just as well, when it moved exactly this to exactly this receiver.

import { keccak_256 } from '@noble/hashes/sha3.js';
import type { AuthorizedTransfer, RelayDraft, RelayOutcome } from '#deposit/authorized-transfer.ts';
import { isFields, requireFields, requireList } from '#networks/answer-fields.ts';
import { refusedDraft, writeDraftTerms } from '#networks/draft-terms.ts';
import { decideFeeCaps } from './decide-fee-caps.ts';
import { readFees } from './draft-payment.ts';
import { readGasLimits } from './estimate-gas.ts';
import type { EvmChain } from './evm-chain.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { isFound } from './read-block.ts';
import { quantityText, requireQuantity } from './read-values.ts';
import { authorizedCall } from './transfer-authorization.ts';
import { signableEvm } from './unsigned-transaction.ts';

type RelaySource = {
  readonly parameters: Pick<EvmChain, 'chainId' | 'fees'>;
  readonly contractOf: ReadonlyMap<string, string>;
  readonly relayAccount?: string | undefined;
};

/** USDC takes about 90,000. */
const RELAY_GAS_MOST = 200_000n;
/** Where another transaction is looked for. */
const BLOCKS_BACK = 2_000n;
const USED = hashOf('AuthorizationUsed(address,bytes32)');
const TRANSFER = hashOf('Transfer(address,address,uint256)');

/** What it would call, and the gas that it takes now. @throws Refusal conflict */
async function readRelayCost(
  { parameters, contractOf, relayAccount: from = '' }: RelaySource,
  rpc: EvmRpc,
  transfer: AuthorizedTransfer,
) {
  const caps = decideFeeCaps(await readFees(rpc), parameters.fees);
  if ('tooDear' in caps) throw refusedDraft(caps.tooDear);
  const to = contractOf.get(transfer.assetId) ?? '';
  const call = { to, value: 0n, data: authorizedCall(transfer) };
  const [gasLimit] = await readGasLimits(rpc, [{ from, ...call }], 'latest');
  if (gasLimit === undefined || gasLimit > RELAY_GAS_MOST) {
    throw refusedDraft('the token refuses it, or takes too much gas');
  }
  return { caps, call, gasLimit, feeUnits: gasLimit * caps.maxFeePerGas };
}

/** In units of the coin. @throws Refusal conflict that says why it cannot be sent now */
export async function readRelayFee(
  source: RelaySource,
  rpc: EvmRpc,
  transfer: AuthorizedTransfer,
): Promise<bigint> {
  return (await readRelayCost(source, rpc, transfer)).feeUnits;
}

/** @throws Refusal conflict that says why it cannot be sent now */
export async function draftRelay(
  source: RelaySource,
  rpc: EvmRpc,
  transfer: AuthorizedTransfer,
  sequence: bigint,
): Promise<RelayDraft> {
  const { chainId } = source.parameters;
  const sender = source.relayAccount ?? '';
  const { caps, call, gasLimit, feeUnits } = await readRelayCost(source, rpc, transfer);
  const params = [sender, 'latest'];
  const [held] = await askAll(rpc, [{ method: 'eth_getBalance', params }]);
  if (requireQuantity(held, 'the balance') < feeUnits) {
    throw refusedDraft(`${sender} has too little for the gas: it needs ${feeUnits} wei`);
  }
  const turn = { sender, nonce: sequence, gasLimit, ...caps };
  const { unsignedTransaction } = signableEvm({ ...turn, chainId, payment: undefined, call });
  return {
    unsigned: unsignedTransaction,
    terms: writeDraftTerms(turn),
    call: { chainId: `${chainId}`, to: call.to, value: '0', data: call.data },
    feeUnits,
  };
}

export async function findRelayOutcome(
  rpc: EvmRpc,
  contract: string,
  transfer: AuthorizedTransfer,
  transaction: string,
): Promise<RelayOutcome | undefined> {
  const [own, latest] = await askAll(rpc, [
    { method: 'eth_getTransactionReceipt', params: [transaction] },
    { method: 'eth_blockNumber', params: [] },
  ]);
  if (hasPaid(own, contract, transfer)) return { paidBy: transaction };
  const other = await findOther(rpc, contract, transfer, requireQuantity(latest, 'the height'));
  if (other !== undefined) return { paidBy: other };
  return isFound(own) ? { failed: true } : undefined;
}

async function findOther(
  rpc: EvmRpc,
  contract: string,
  transfer: AuthorizedTransfer,
  height: bigint,
): Promise<string | undefined> {
  const fromBlock = quantityText(height > BLOCKS_BACK ? height - BLOCKS_BACK : 0n);
  const topics = [USED, topicOf(transfer.from), transfer.nonce];
  const params = [{ address: contract, topics, fromBlock, toBlock: 'latest' }];
  const [logs] = await askAll(rpc, [{ method: 'eth_getLogs', params }]);
  const [first] = requireList(logs, 'the logs of a token');
  if (first === undefined) return undefined;
  const { transactionHash } = requireFields(first, 'a log');
  const ask = { method: 'eth_getTransactionReceipt', params: [transactionHash] };
  const [receipt] = await askAll(rpc, [ask]);
  return hasPaid(receipt, contract, transfer) ? String(transactionHash) : undefined;
}

/** A payer may have signed something else with the same nonce: what was moved decides. */
function hasPaid(receipt: unknown, contract: string, { from, to, units }: AuthorizedTransfer) {
  if (!isFields(receipt) || receipt.status !== '0x1') return false;
  const wanted = [TRANSFER, topicOf(from), topicOf(to)].join();
  return requireList(receipt.logs, 'the logs of a receipt').some((log) => {
    const { address, topics, data } = requireFields(log, 'a log');
    if (String(address).toLowerCase() !== contract || !Array.isArray(topics)) return false;
    if (topics.join().toLowerCase() !== wanted) return false;
    return requireQuantity(data, 'an amount') === units;
  });
}

function topicOf(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`;
}

function hashOf(text: string): string {
  return `0x${Buffer.from(keccak_256(new TextEncoder().encode(text))).toString('hex')}`;
}
