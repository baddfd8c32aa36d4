// Tokens are pinned: by the contract and the decimals of the catalog, and never by what a contract
// calls itself. Guarantees: a token is offered, and its transfers are read, only after the chain
// itself has said that there is code at the contract and that it has the decimals we count with.
// A contract that says something else is left out altogether.

import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { NodeLie, type RpcFailure } from '#networks/answer-fields.ts';
import type { EvmRpc } from './json-rpc.ts';
import type { TokenContracts } from './read-block.ts';

/** Function selectors (Solidity ABI): first four bytes of keccak-256 of the signature. */
const DECIMALS = '0x313ce567';
const BALANCE_OF = '0x70a08231';

type PinnedToken = {
  readonly assetId: string;
  /** In lower case. */
  readonly contract: string;
  readonly decimals: number;
};

export function pinnedTokens(network: string): PinnedToken[] {
  return getNetwork(network).assets.flatMap((assetId) => {
    const { assetIssuer, decimals } = getAsset(assetId);
    if (assetIssuer === NATIVE_ISSUER) return [];
    return [{ assetId, contract: assetIssuer.toLowerCase(), decimals }];
  });
}

export function coinOf(network: string): string {
  const coin = getNetwork(network).assets.find((id) => getAsset(id).assetIssuer === NATIVE_ISSUER);
  return coin ?? getNetwork(network).defaultAssetId;
}

/** Those that are what we take them for, by contract. @throws NodeLie, Outage */
export async function checkTokens(
  rpc: EvmRpc,
  tokens: readonly PinnedToken[],
): Promise<TokenContracts> {
  const answers = await rpc.batch(
    tokens.flatMap(({ contract }) => [
      { method: 'eth_getCode', params: [contract, 'latest'] },
      { method: 'eth_call', params: [{ to: contract, data: DECIMALS }, 'latest'] },
    ]),
  );
  const good = new Map<string, string>();
  tokens.forEach(({ assetId, contract, decimals }, at) => {
    const [code, said] = [answers[2 * at], answers[2 * at + 1]];
    if (code?.ok !== true) throw code?.failure ?? new NodeLie('no answer about a token');
    if (typeof code.result !== 'string') throw new NodeLie(`the code of ${assetId} is malformed`);
    if (code.result === '0x') return;
    if (said === undefined) throw new NodeLie('no answer about the decimals of a token');
    // A contract that refuses the question is not our token. Any other failure leaves it open.
    if (!said.ok && !isReverted(said.failure)) throw said.failure;
    if (said.ok && isNumber(said.result, decimals)) good.set(contract, assetId);
  });
  return good;
}

/** geth, reth and Nethermind say it with code 3, others in words. */
export function isReverted({ code, said }: RpcFailure): boolean {
  return code === 3 || /revert|invalid opcode|out of gas|stack underflow/i.test(said);
}

export function balanceCall(contract: string, address: string): { to: string; data: string } {
  return { to: contract, data: `${BALANCE_OF}${address.slice(2).padStart(64, '0')}` };
}

function isNumber(answer: unknown, wanted: number): boolean {
  return (
    typeof answer === 'string' &&
    /^0x[0-9a-fA-F]{64}$/.test(answer) &&
    BigInt(answer) === BigInt(wanted)
  );
}
