// What was drafted for Stellar and signed elsewhere: taken back, handed to Horizon, and known to be
// over when a ledger closed after its end.
import type { Sender, SignedSending } from '#deposit/money-out.ts';
import { isFields, requireThat } from '#networks/answer-fields.ts';
import { type AskedNodes, askForPerson } from '#networks/ask-nodes.ts';
import { notTaken, onlyPayment } from '#networks/draft-terms.ts';
import type { DraftSource } from './draft-payment.ts';
import type { Horizon } from './horizon.ts';
import { cursorBeforeLedger, requireRecords } from './horizon-fields.ts';
import { readAccount } from './read-account.ts';
import { readLedger } from './read-ledger.ts';
import { readSignedStellarPayment } from './signed-transaction.ts';
import { ownPayment, readStellarTerms } from './stellar-terms.ts';

export function stellarSender(
  source: Pick<DraftSource, 'parameters' | 'account'>,
  asked: AskedNodes<Horizon>,
): Sender {
  const { account, parameters: chain } = source;
  return {
    readSigned: ({ payments, terms, returned }) =>
      askForPerson(asked, async (horizon) => {
        const { json } = await horizon.get(`/accounts/${account}`);
        const { signers } = readAccount(json, account);
        const isOwn = payments.length === 0;
        const payment = isOwn
          ? ownPayment(terms, account)
          : { ...onlyPayment(payments), network: 'STELLAR' };
        const order = { ...readStellarTerms(terms), payment, chain, source: account };
        return readSignedStellarPayment(Buffer.from(returned).toString('utf8'), order, signers);
      }),
    broadcast: (sending) => askForPerson(asked, (horizon) => broadcast(horizon, sending)),
    isOver: (terms, height) =>
      asked.ask(async (horizon) => {
        const { expiresAt } = readStellarTerms(terms);
        const query = { order: 'asc', limit: 1, cursor: cursorBeforeLedger(height) };
        const [ledger] = requireRecords((await horizon.get('/ledgers', query)).json, 1);
        requireThat(ledger !== undefined, 'there is no such ledger');
        const { minedAt, height: found } = readLedger(ledger);
        requireThat(found === height, 'another ledger was given');
        return Temporal.Instant.compare(minedAt, expiresAt) > 0;
      }),
  };
}

async function broadcast(
  horizon: Horizon,
  { signedTransaction, transaction }: SignedSending,
): Promise<void> {
  const refusal = await submitOnce(horizon, signedTransaction, transaction);
  if (refusal !== undefined) throw notTaken(refusal);
}

/** Undefined also where it is in a ledger already: Horizon refuses it for its sequence number. */
export async function submitOnce(
  horizon: Horizon,
  envelope: string,
  transaction: string,
): Promise<string | undefined> {
  const refusal = await horizon.submit(envelope);
  if (refusal === undefined) return undefined;
  const { json } = await horizon.get(`/transactions/${transaction}`);
  return isFields(json) ? undefined : refusal;
}
