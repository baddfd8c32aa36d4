// The service's side of the trader: asks, and believes only answers that are some. Of a question
// that failed it says whether the trader cannot have heard it.

import { request } from 'node:http';
import { Outage } from '#base/refusal.ts';
import {
  type NewOrder,
  type OrderName,
  readTraderAnswer,
  type Told,
  type TraderAnswer,
  type TraderQuestion,
  type Withdrawal,
} from './protocol.ts';

/** `isHeard`: the trader may have acted on it. */
type Away = { readonly answer: 'away'; readonly isHeard: boolean; readonly reason: string };
type OrderTold = Told<'order'> | Told<'refused'> | Away;

export type TraderClient = {
  place(order: NewOrder): Promise<OrderTold>;
  look(order: OrderName): Promise<OrderTold>;
  cancel(order: OrderName): Promise<OrderTold>;
  /** @throws Outage */
  balances(provider: string): Promise<Told<'balances'> | Told<'refused'>>;
  /** All that happened in the account since then. @throws Outage */
  trades(
    provider: string,
    codes: readonly string[],
    since: Temporal.Instant,
  ): Promise<Told<'trades'> | Told<'refused'>>;
  /** @throws Outage */
  depositAddress(
    provider: string,
    assetId: string,
    network: string,
  ): Promise<Told<'address'> | Told<'refused'>>;
  /** @throws Outage: ask again, with the same name. */
  withdraw(withdrawal: Withdrawal): Promise<Told<'withdrawal'> | Told<'refused'>>;
};

const WITHIN_MS = 120_000;
const ANSWER_BYTES_MOST = 4 * 1024 * 1024;
const UNHEARD = ['ECONNREFUSED', 'ENOENT', 'EACCES'];

/** A connection for each question: there is nothing to close. */
export function openTraderClient(socket: string): TraderClient {
  const askFor = async <Name extends TraderAnswer['answer']>(
    question: TraderQuestion,
    ...names: readonly Name[]
  ): Promise<Told<Name>> => {
    const answer = await ask(socket, question);
    const found = names.find((name) => name === answer.answer);
    if (found !== undefined) return answer as Told<Name>;
    const reason = answer.answer === 'failed' ? answer.reason : `it said ${answer.answer}`;
    throw new Outage('the trader', { cause: new Error(reason) });
  };
  const askOrder = async (question: TraderQuestion): Promise<OrderTold> => {
    try {
      return await askFor(question, 'order', 'refused');
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      const code = (error.cause as { code?: string } | undefined)?.code ?? '';
      return { answer: 'away', isHeard: !UNHEARD.includes(code), reason: error.message };
    }
  };
  return {
    place: (order) => askOrder({ ask: 'place', order }),
    look: (order) => askOrder({ ask: 'look', order }),
    cancel: (order) => askOrder({ ask: 'cancel', order }),
    balances: (provider) => askFor({ ask: 'balances', provider }, 'balances', 'refused'),
    trades: (provider, codes, since) =>
      askFor(
        { ask: 'trades', provider, codes: [...codes], since: since.toString() },
        'trades',
        'refused',
      ),
    depositAddress: (provider, assetId, network) =>
      askFor({ ask: 'deposit-address', provider, assetId, network }, 'address', 'refused'),
    withdraw: (withdrawal) => askFor({ ask: 'withdraw', withdrawal }, 'withdrawal', 'refused'),
  };
}

async function ask(socket: string, question: TraderQuestion): Promise<TraderAnswer> {
  const text = await postOver(socket, JSON.stringify(question)).catch((cause: unknown) => {
    throw new Outage('the trader', { cause });
  });
  const answer = readTraderAnswer(text);
  if (!('fault' in answer)) return answer;
  throw new Outage('the trader', { cause: new Error(`its answer is none: ${answer.fault}`) });
}

function postOver(socketPath: string, body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { socketPath, method: 'POST', path: '/', timeout: WITHIN_MS, agent: false };
  const asking = request(options, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      text += part;
      if (text.length > ANSWER_BYTES_MOST) response.destroy(new Error('its answer has no end'));
    });
    response.on('error', reject);
    response.on('end', () => {
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`it does not understand the question: ${text.slice(0, 200)}`));
    });
  });
  asking.on('timeout', () => asking.destroy(new Error('it does not answer')));
  asking.on('error', (error: Error & { readonly code?: string }) =>
    reject(UNHEARD.includes(error.code ?? '') ? notThere(socketPath, error) : error),
  );
  asking.end(body);
  return promise;
}

/** With the code of the fault, by which it is known that nobody heard the question. */
function notThere(socketPath: string, { code = '' }: { readonly code?: string }): Error {
  const fault =
    code === 'EACCES'
      ? `this user may not use ${socketPath}: see group_may_connect in trader.toml`
      : `nobody listens at ${socketPath}: is npx quittance trade running, and TRADER_SOCKET right?`;
  return Object.assign(new Error(`${fault} (${code})`), { code });
}
