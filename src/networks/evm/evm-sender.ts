// What was drafted for an EVM chain and signed elsewhere: taken back, handed to a node, and known
// to be over once another transaction had its nonce. What several owners of a Safe sign has the
// nonce of the Safe.
import type { Sender, SignedSending } from '#deposit/money-out.ts';
import { type AskedNodes, askForPerson } from '#networks/ask-nodes.ts';
import { notTaken, onlyPayment } from '#networks/draft-terms.ts';
import { callOf, readEvmTerms } from './draft-payment.ts';
import { readSafeTerms } from './draft-safe-payment.ts';
import type { EvmChain } from './evm-chain.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { isFound } from './read-block.ts';
import { quantityText, requireQuantity } from './read-values.ts';
import { cosignSafe, executionOfSafe, isOverInSafe } from './safe-sender.ts';
import { readSignedEvmPayment } from './signed-transaction.ts';

export function evmSender(
  chain: Pick<EvmChain, 'network' | 'chainId'>,
  asked: AskedNodes<EvmRpc>,
): Sender {
  const { network, chainId } = chain;
  return {
    async readSigned({ payments, terms, returned, carries }) {
      const text = Buffer.from(returned).toString('utf8');
      const turn = { ...readEvmTerms(terms), chainId };
      if (carries !== undefined) {
        return readSignedEvmPayment(text, { ...turn, payment: undefined, call: callOf(carries) });
      }
      if (payments.length === 0) return readSignedEvmPayment(text, { ...turn, payment: undefined });
      const payment = { ...onlyPayment(payments), network };
      return readSignedEvmPayment(text, { ...turn, payment });
    },
    cosign: (returned, before) =>
      askForPerson(asked, (rpc) => cosignSafe(chain, rpc, returned, before)),
    executionOf: (terms, sending) =>
      askForPerson(asked, (rpc) => executionOfSafe(chain, rpc, terms, sending)),
    broadcast: (sending) => askForPerson(asked, (rpc) => broadcast(rpc, sending)),
    isOver: (terms, height) =>
      asked.ask(async (rpc) => {
        const owned = readSafeTerms(terms);
        if (owned !== undefined) return isOverInSafe(rpc, owned, height);
        const { sender, nonce } = readEvmTerms(terms);
        const params = [sender, quantityText(height)];
        const [used] = await askAll(rpc, [{ method: 'eth_getTransactionCount', params }]);
        return requireQuantity(used, 'the nonce') > nonce;
      }),
  };
}

async function broadcast(
  rpc: EvmRpc,
  { signedTransaction, transaction }: SignedSending,
): Promise<void> {
  const params = [signedTransaction];
  const [answer] = await rpc.batch([{ method: 'eth_sendRawTransaction', params }]);
  if (answer === undefined || answer.ok) return;
  // Every client has words of its own for one that it knows, and for one that is mined.
  const [known] = await askAll(rpc, [
    { method: 'eth_getTransactionByHash', params: [transaction] },
  ]);
  if (!isFound(known)) throw notTaken(answer.failure.said);
}
