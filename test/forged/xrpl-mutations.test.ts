// A server of the XRP Ledger whose answers are damaged at random, and a second one that lies: seeded
// schedules.

import { type Random, randomInteger } from '#base/random.ts';
import type { Json } from '#test/fakes/xrpl-ledger.ts';
import { openXrplWorld, XRP, type XrplWorld } from '#test/fakes/xrpl-world.ts';
import { pick } from '#test/support/seeded-random.ts';
import { type Asked, damagedAnswers, type Lie, testLyingSchedules } from './lying-schedules.ts';
import { mutateAnswer } from './mutate-answer.ts';

const LIES: readonly Lie<XrplWorld>[] = [
  ...damagedAnswers<XrplWorld>(
    ({ server }, change) => {
      server.tamper = (_, result) => change(result);
    },
    ({ server }, change) => {
      server.tamperText = (_, text) => change(text);
    },
  ),
  {
    what: 'a damaged listing',
    tell: ({ server }, random) => {
      server.tamper = ({ command }, result) =>
        command === 'account_tx' ? mutateAnswer(random, result).value : result;
    },
  },
  {
    what: 'a listing without some of its transactions',
    tell: ({ server }, random) => {
      server.tamper = ({ command }, result) => {
        const { transactions } = result as { transactions?: unknown[] };
        if (command !== 'account_tx' || transactions === undefined) return result;
        const kept = transactions.filter(() => randomInteger(random, 2) === 0);
        return { ...result, transactions: kept };
      };
    },
  },
  {
    what: 'an account as it was before',
    tell: ({ server, xrpl, account }) => {
      const root = xrpl.ledgers.at(-2)?.roots.get(account);
      server.tamper = ({ command }, result) => {
        if (command !== 'account_info' || root === undefined) return result;
        const thread = { PreviousTxnID: root.last?.hash, PreviousTxnLgrSeq: root.last?.ledger };
        const data = { ...(result.account_data as Json), ...thread, Balance: `${root.balance}` };
        return { ...result, account_data: data };
      };
    },
  },
  {
    what: 'answers that are mixed up',
    tell: ({ server }, random) => {
      server.tamperAnswer = ({ command }, answer) =>
        command === 'account_tx' && randomInteger(random, 2) === 0
          ? { ...answer, id: Number(answer.id) + 1 }
          : answer;
    },
  },
  {
    what: 'every answer twice',
    tell: ({ server }) => {
      server.tamperText = (_, text) => [text, text];
    },
  },
  {
    what: 'a server that is behind',
    tell: ({ server }, random) => {
      server.lag = 1 + randomInteger(random, 2);
    },
  },
  {
    what: 'payments that are hidden from every listing',
    tell: ({ server, xrpl }, random) => {
      for (const { hash } of xrpl.ledgers.slice(-3).flatMap(({ transactions }) => transactions)) {
        if (randomInteger(random, 2) === 0) server.hidden.add(hash);
      }
    },
  },
  {
    what: 'a gap in its history',
    tell: ({ server, xrpl }) => {
      const last = xrpl.ledgers.at(-1)?.index ?? 0;
      server.completeLedgers = `32570-${last - 3},${last}-${last + 100}`;
    },
  },
  {
    what: 'another network',
    tell: ({ server }) => {
      server.networkId = 1;
    },
  },
  {
    what: 'errors and silence',
    tell: ({ server }, random) => {
      server.refuse = () =>
        randomInteger(random, 2) === 0
          ? pick(random, ['lgrNotFound', 'slowDown', 'noNetwork', 'actNotFound', 'internal'])
          : undefined;
      server.hangsUp = () => randomInteger(random, 4) === 0;
    },
  },
  {
    what: 'a second server that lies',
    tell: ({ second }, random) => {
      if (second !== undefined) second.tamper = (_, result) => mutateAnswer(random, result).value;
    },
  },
];

function beHonest({ server, second }: XrplWorld): void {
  for (const one of [server, second]) {
    if (one === undefined) continue;
    one.tamper = (_, result) => result;
    one.tamperAnswer = (_, answer) => answer;
    one.tamperText = (_, text) => text;
    one.refuse = () => undefined;
    one.hangsUp = () => false;
    one.lag = 0;
    one.networkId = 0;
    one.completeLedgers = undefined;
    one.hidden.clear();
  }
}

async function ask(world: XrplWorld, random: Random): Promise<Asked> {
  const units = BigInt(1 + randomInteger(random, 10_000)) * 1_000_000n;
  const { instruction } = await world.createAndCommit('XRP_LEDGER', XRP, units);
  const payment = { drops: units, tag: instruction.destinationTag, ...partially(random, units) };
  return { units, pay: () => world.pay(payment) };
}

/** Some payments ask for more than they deliver. */
function partially(random: Random, units: bigint) {
  if (randomInteger(random, 3) > 0) return {};
  const fields = { Flags: 0x0002_0000, Amount: `${units * 1000n}`, SendMax: `${units * 2n}` };
  return { fields, stated: `${units}`, delivered: `${units}` };
}

testLyingSchedules('a server of the XRP Ledger whose answers are damaged', {
  open: (options) => openXrplWorld({ ...options, timeoutMs: 1_000 }),
  lies: LIES,
  rounds: 3,
  ask,
  closeLedger: ({ xrpl }) => xrpl.close(),
  beHonest,
});
