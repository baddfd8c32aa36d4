// What was drafted for the XRP Ledger and signed elsewhere: taken back, handed to a server, and
// known to be over when its last ledger has passed.
import type { Sender, SignedSending } from '#deposit/money-out.ts';
import { isFields, requireFields, requireText } from '#networks/answer-fields.ts';
import { type AskedNodes, askForPerson } from '#networks/ask-nodes.ts';
import { notTaken, onlyPayment } from '#networks/draft-terms.ts';
import { readXrplTerms } from './draft-payment.ts';
import { readSignedXrplPayment } from './signed-transaction.ts';
import type { XrplServer } from './xrpl-server.ts';

/** It is on its way, or waits for its turn; tefALREADY: this very one was applied before. */
const TAKEN = new Set(['tesSUCCESS', 'terQUEUED', 'tefALREADY']);

export function xrplSender(source: string, asked: AskedNodes<XrplServer>): Sender {
  return {
    readSigned: ({ payments, terms, returned }) =>
      askForPerson(asked, async (server) => {
        const payment = { ...onlyPayment(payments), network: 'XRP_LEDGER' };
        const order = { ...readXrplTerms(terms), payment, source };
        const text = Buffer.from(returned).toString('utf8');
        return readSignedXrplPayment(text, order, await readSigners(server, source));
      }),
    broadcast: (sending) => askForPerson(asked, (server) => broadcast(server, sending)),
    isOver: async (terms, height) => readXrplTerms(terms).lastLedger <= height,
  };
}

/** The key that the address is the hash of, and the regular key. */
async function readSigners(server: XrplServer, account: string): Promise<readonly string[]> {
  const answer = await server.ask('account_info', { account, ledger_index: 'validated' });
  const root = requireFields(requireFields(answer, 'the account').account_data, 'the account');
  return [account, ...(typeof root.RegularKey === 'string' ? [root.RegularKey] : [])];
}

async function broadcast(
  server: XrplServer,
  { signedTransaction, transaction }: SignedSending,
): Promise<void> {
  // What would only cost its fee is not passed on (fail_hard).
  const question = { tx_blob: signedTransaction, fail_hard: true };
  const answer = requireFields(await server.ask('submit', question), 'what was submitted');
  const result = requireText(answer, 'engine_result');
  if (TAKEN.has(result)) return;
  const known = await server.ask('tx', { transaction, binary: true }, ['txnNotFound']);
  if (isFields(known) && known.validated === true) return;
  const said = typeof answer.engine_result_message === 'string' ? answer.engine_result_message : '';
  throw notTaken(`${result} ${said}`);
}
