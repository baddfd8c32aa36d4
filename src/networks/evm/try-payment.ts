// Asks a node what becomes of a payment before it is signed: whether the receiver is a contract,
// whether the token is stopped or has one of both on its blocklist, how much of a token arrives.
// Not guaranteed: that it is still so when the payment lands. What a node cannot say stands against
// nothing: then the estimate of the gas alone shows that the payment does not fail.

import { NATIVE_ISSUER } from '#catalog/asset.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import type { RpcAnswer, RpcCall } from '#networks/json-rpc.ts';
import { notSendable, type OutgoingPayment, sentAsset } from '#networks/outgoing-payment.ts';
import { decideEvmDelivery, type TokenFacts, type TransferTrial } from './decide-delivery.ts';
import { canonicalEvmAddress } from './derive-address.ts';
import type { EvmRpc } from './json-rpc.ts';

/** Addresses of contracts that may be paid, in lower case; or whatever it is. */
export type ContractReceivers = ReadonlySet<string> | 'any';

type Trial = {
  readonly payment: OutgoingPayment;
  readonly sender: string;
  readonly contractReceivers: ContractReceivers;
};

/** `paused()` (OpenZeppelin Pausable, as in USDC, EURC, USDT and WBTC). */
const PAUSED = '0x5c975abb';
/** `isBlacklisted(address)` of Circle's FiatToken, `isBlackListed(address)` of TetherToken. */
const BLOCKLISTS = ['0xfe575a87', '0xe47d6060'] as const;
/** EIP-7702: the code of an account that has a key and has lent itself to a contract. */
const DELEGATED = /^0xef0100[0-9a-f]{40}$/i;
const WORD = /^0x[0-9a-f]{64}$/i;

/** Why it is not to be signed, in a sentence. @throws Outage, NodeLie */
export async function tryPayment(
  rpc: EvmRpc,
  { payment, sender, contractReceivers }: Trial,
): Promise<string | undefined> {
  const { assetIssuer } = sentAsset(payment);
  const receiver = canonicalEvmAddress(payment.account.address ?? '');
  if (receiver === undefined) throw notSendable('the receiver is no address');
  const token = assetIssuer === NATIVE_ISSUER ? undefined : assetIssuer.toLowerCase();
  const calls =
    token === undefined ? [] : tokenCalls({ token, receiver, sender, units: payment.units });
  const [code, ...said] = await rpc.batch([
    { method: 'eth_getCode', params: [receiver, 'latest'] },
    ...calls,
  ]);
  return decideEvmDelivery({
    payment,
    sender,
    isContract: isContract(code),
    isAllowed: contractReceivers === 'any' || contractReceivers.has(receiver),
    token: token === undefined ? undefined : tokenFacts(said),
  });
}

function isContract(answer: RpcAnswer | undefined): boolean {
  if (answer?.ok !== true) throw answer?.failure ?? new NodeLie('no answer about the receiver');
  const { result } = answer;
  if (typeof result !== 'string') throw new NodeLie('the code of the receiver is malformed');
  return result !== '0x' && !DELEGATED.test(result);
}

type TokenQuestion = {
  readonly token: string;
  readonly receiver: string;
  readonly sender: string;
  readonly units: bigint;
};

function tokenCalls({ token, receiver, sender, units }: TokenQuestion): RpcCall[] {
  const ask = (data: string): RpcCall => ({
    method: 'eth_call',
    params: [{ to: token, data }, 'latest'],
  });
  const words = [token, receiver, units.toString(16)].map(word).join('');
  return [
    ask(PAUSED),
    ...[sender, receiver].flatMap((address) =>
      BLOCKLISTS.map((selector) => ask(`${selector}${word(address)}`)),
    ),
    {
      method: 'eth_call',
      params: [{ to: sender, data: `0x${words}` }, 'latest', { [sender]: { code: TRIAL_CODE } }],
    },
  ];
}

function word(text: string): string {
  return text.replace(/^0x/, '').padStart(64, '0');
}

function tokenFacts(said: readonly RpcAnswer[]): TokenFacts {
  const [isPaused, ...more] = said.slice(0, -1).map(flagIn);
  const [senderOne, senderOther, receiverOne, receiverOther] = more;
  return {
    isPaused,
    isSenderBlocked: senderOne ?? senderOther,
    isReceiverBlocked: receiverOne ?? receiverOther,
    trial: trialIn(said.at(-1)),
  };
}

/** Undefined of a token that has no such function, and of a node that does not say. */
function flagIn(answer: RpcAnswer | undefined): boolean | undefined {
  const isSaid = answer?.ok === true && typeof answer.result === 'string';
  return isSaid && WORD.test(String(answer.result))
    ? BigInt(String(answer.result)) !== 0n
    : undefined;
}

/** Undefined where the node takes no code for an account in a call. */
function trialIn(answer: RpcAnswer | undefined): TransferTrial | undefined {
  const text = answer?.ok === true ? String(answer.result) : '';
  if (!/^0x[0-9a-f]{512}$/i.test(text)) return undefined;
  const words = Array.from({ length: 8 }, (_, at) =>
    BigInt(`0x${text.slice(2 + 64 * at, 66 + 64 * at)}`),
  );
  const [before = 0n, after = 0n, , , , returned = 0n, succeeded = 0n, returnedBytes = 0n] = words;
  if (succeeded === 0n) return { outcome: 'reverts' };
  // Tokens of before ERC-20 was settled return nothing (USDT).
  if (returnedBytes > 0n && returned === 0n) return { outcome: 'denied' };
  return { outcome: 'moves', arrivingUnits: after - before };
}

/**
 * What the sender's account does in the trial: it asks the token what the receiver has, transfers,
 * asks again, and answers both, what `transfer` returned, whether it succeeded, and how many bytes
 * came back. The call has three words: token, receiver, units.
 */
const TRIAL_CODE = [
  // mem[00] balanceOf(receiver)
  '6370a0823160e01b600052602035600452',
  // mem[40] = what the receiver has before
  '60206040602460006000355afa50',
  // mem[80] transfer(receiver, units)
  '63a9059cbb60e01b60805260203560845260403560a452',
  // mem[e0] = what it returns, mem[100] = whether it succeeded, mem[120] = how long that is
  '602060e06044608060006000355af1610100523d61012052',
  // mem[60] = what the receiver has now
  '60206060602460006000355afa50',
  // all of mem[40..140]
  '6101006040f3',
].reduce((code, part) => code + part, '0x');
