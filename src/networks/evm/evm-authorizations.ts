// Transfers that payers have signed (EIP-3009), as far as a node is asked about them. A token takes
// such transfers when its contract has the functions, and its DOMAIN_SEPARATOR is the one that its
// name, its version, the chain and the contract make: else what a payer signs would not be what the
// contract checks. The contract is asked, not a table: names differ from chain to chain.

import { Refusal } from '#base/refusal.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import type {
  AuthorizationFault,
  Authorizations,
  AuthorizedTransfer,
  TokenDomain,
} from '#deposit/authorized-transfer.ts';
import { NodeLie, RpcFailure } from '#networks/answer-fields.ts';
import { type AskedNodes, askForPerson } from '#networks/ask-nodes.ts';
import type { RpcAnswer } from '#networks/json-rpc.ts';
import type { EvmChain } from './evm-chain.ts';
import { draftRelay, findRelayOutcome, readRelayFee } from './evm-relay.ts';
import { balanceCall, coinOf, isReverted } from './evm-tokens.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import type { TokenContracts } from './read-block.ts';
import { requireQuantity } from './read-values.ts';
import { authorizedCall, domainSeparator, signerOfTransfer } from './transfer-authorization.ts';

/** Who pays the gas of what payers have signed, and how much of it. */
export type RelayOptions = {
  /** In lower case. */
  readonly relayAccount?: string | undefined;
  /** Hundredths of what is paid; absent: nothing is judged. */
  readonly relayGasPercentMost?: number | undefined;
};

type AuthorizationSource = RelayOptions & {
  readonly parameters: Pick<EvmChain, 'chainId' | 'fees'>;
  readonly chain: ChainId;
  readonly asked: AskedNodes<EvmRpc>;
  /** By asset, as the catalog has them. */
  readonly contractOf: ReadonlyMap<string, string>;
  /** By contract. */
  readonly offered: TokenContracts;
};

/** name(), version(), DOMAIN_SEPARATOR(), authorizationState(address,bytes32). */
const [NAME, VERSION, SEPARATOR, STATE] = ['0x06fdde03', '0x54fd4d50', '0x3644e515', '0xe94a0102'];
const WORD = /^0x[0-9a-f]{64}$/i;
const NAME_BYTES_MOST = 100n;
const NOBODY = '0'.repeat(64);

/** `source` is read at each question: what is offered changes. */
export function evmAuthorizations(source: AuthorizationSource): Authorizations {
  const { chainId } = source.parameters;
  /** By contract; undefined of tokens that take none. */
  const domains = new Map<string, TokenDomain | undefined>();

  async function domainsIn(rpc: EvmRpc): Promise<readonly TokenDomain[]> {
    const tokens = [...source.offered].map(([contract, assetId]) => ({ contract, assetId }));
    for (const { contract, assetId } of tokens.filter((one) => !domains.has(one.contract))) {
      domains.set(contract, await readDomain(rpc, chainId, contract, assetId));
    }
    return tokens.flatMap(({ contract }) => domains.get(contract) ?? []);
  }

  return {
    chainNumber: chainId,
    account: source.relayAccount,
    gasPercentMost: source.relayGasPercentMost ?? 0,
    readFee: async (transfer) => {
      const read = (rpc: EvmRpc) => readRelayFee(source, rpc, transfer);
      const units = await askForPerson(source.asked, read).catch(unlessRefused);
      return units === undefined ? undefined : { assetId: coinOf(networkOf(source.chain)), units };
    },
    readNextSequence: () =>
      source.asked.ask(async (rpc) => {
        const params = [source.relayAccount, 'latest'];
        const [next] = await askAll(rpc, [{ method: 'eth_getTransactionCount', params }]);
        return requireQuantity(next, 'the nonce');
      }),
    draft: (transfer, sequence) =>
      askForPerson(source.asked, (rpc) => draftRelay(source, rpc, transfer, sequence)),
    findOutcome: (transfer, transaction) =>
      source.asked.ask((rpc) => {
        const contract = source.contractOf.get(transfer.assetId) ?? '';
        return findRelayOutcome(rpc, contract, transfer, transaction);
      }),
    listTokens: () => source.asked.ask(domainsIn),
    findFault: (transfer) =>
      source.asked.ask(async (rpc) => {
        const found = (await domainsIn(rpc)).find(({ assetId }) => assetId === transfer.assetId);
        if (found === undefined) return 'simulation';
        const contract = found.contract.toLowerCase();
        const signer = signerOfTransfer({ ...found, chainId, contract }, transfer);
        if (signer !== transfer.from) return 'signature';
        return tryTransfer(rpc, contract, transfer);
      }),
  };
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

async function readDomain(
  rpc: EvmRpc,
  chainId: bigint,
  contract: string,
  assetId: string,
): Promise<TokenDomain | undefined> {
  const calls = [NAME, VERSION, SEPARATOR, `${STATE}${NOBODY}${NOBODY}`];
  const answers = await rpc.batch(calls.map((data) => call({ to: contract, data })));
  const [name, version, separator, state] = calls.map((_, at) => saidBy(answers[at]));
  const texts = [name, version].map(textIn);
  const isState = state !== undefined && WORD.test(state);
  const [nameText, versionText] = texts;
  if (nameText === undefined || versionText === undefined || !isState) return undefined;
  const made = domainSeparator({ name: nameText, version: versionText, chainId, contract });
  if (made !== separator?.toLowerCase()) return undefined;
  const spelled = assetId.slice(assetId.indexOf(':') + 1);
  return { assetId, contract: spelled, name: nameText, version: versionText };
}

/** Whether the token would carry it out at the last block, and if not, why. */
async function tryTransfer(
  rpc: EvmRpc,
  contract: string,
  transfer: AuthorizedTransfer,
): Promise<AuthorizationFault | undefined> {
  const { from, nonce, units } = transfer;
  const state = `${STATE}${from.slice(2).padStart(64, '0')}${nonce.slice(2)}`;
  const [used, held, tried] = await rpc.batch([
    call({ to: contract, data: state }),
    call(balanceCall(contract, from)),
    call({ to: contract, data: authorizedCall(transfer) }),
  ]);
  if (numberIn(used) !== 0n) return 'nonce';
  if (numberIn(held) < units) return 'funds';
  return saidBy(tried) === undefined ? 'simulation' : undefined;
}

function call(asked: { readonly to: string; readonly data: string }) {
  return { method: 'eth_call', params: [asked, 'latest'] };
}

/** Undefined where the contract refuses. @throws what the node could not say */
function saidBy(answer: RpcAnswer | undefined): string | undefined {
  if (answer?.ok === true) {
    if (typeof answer.result === 'string') return answer.result;
    throw new NodeLie('the answer of a token is malformed');
  }
  const failure = answer?.failure ?? new NodeLie('no answer of a token');
  if (!(failure instanceof RpcFailure) || !isReverted(failure)) throw failure;
  return undefined;
}

function numberIn(answer: RpcAnswer | undefined): bigint {
  const said = saidBy(answer) ?? '';
  if (!WORD.test(said)) throw new NodeLie('the answer of a token is no number');
  return BigInt(said);
}

/** A text as the ABI returns it: where it begins, its length, its bytes. */
function textIn(said: string | undefined): string | undefined {
  const [, start, length, rest = ''] =
    /^0x([0-9a-f]{64})([0-9a-f]{64})((?:[0-9a-f]{64})*)$/i.exec(said ?? '') ?? [];
  if (BigInt(`0x${start ?? '0'}`) !== 32n) return undefined;
  const bytes = BigInt(`0x${length ?? '0'}`);
  if (bytes > NAME_BYTES_MOST || rest.length < Number(bytes) * 2) return undefined;
  return Buffer.from(rest.slice(0, Number(bytes) * 2), 'hex').toString('utf8');
}
