// Money that left the addresses we watch and carried no transfer: what an operator sees of it, and
// says of it.

import { Refusal } from '#base/refusal.ts';
import type { RecordedDeparture } from '#chain/departure.ts';
import {
  abandonDeparture,
  departureView,
  explainDeparture,
  listDepartures,
} from '#custody/explain-departure.ts';
import {
  type Command,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  wholeOption,
} from './command.ts';

const PURPOSES = { own: 'OWN', outside: 'OUTSIDE', lost: 'LOST' } as const;
const WHAT = Object.keys(PURPOSES).join('|');

export const custodyList: Command = {
  name: 'custody list',
  summary: 'money that left and that no transfer explains',
  usage: '[--limit 1-1000]',
  options: { limit: { type: 'string' } },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const found = await listDepartures({ db }, most + 1);
    const shown = found.slice(0, most);
    const lines = shown.map(departureText);
    if (found.length > most) lines.push('and more: --limit shows up to 1000');
    if (shown.length === 0) lines.push('All that left is explained.');
    return { text: lines.join('\n'), json: { departures: shown.map(departureView) } };
  },
};

export const custodyExplain: Command = {
  name: 'custody explain',
  summary: 'say what it was: it is still yours here (own), elsewhere (outside), or lost',
  usage: `ID:PART --as ${WHAT} ${SAID_USAGE}`,
  options: { ...SAID_OPTIONS, as: { type: 'string' } },
  async run(context, { positionals, values }) {
    const [, departureId = '', number = ''] =
      /^([1-9]\d{0,17}):([1-9]\d{0,5})$/.exec(
        onePositional(positionals, 'a part as npx quittance custody list names it'),
      ) ?? [];
    if (departureId === '') {
      throw new Refusal('invalid', 'usage', ['ID:PART: as npx quittance custody list names it']);
    }
    const as = textOption(values, 'as') ?? '';
    const purpose = Object.entries(PURPOSES).find(([name]) => name === as)?.[1];
    if (purpose === undefined) throw new Refusal('invalid', 'usage', [`--as: one of ${WHAT}`]);
    const said = saidOf(values);
    const app = await context.openApp();
    const part = { departureId: BigInt(departureId), number: Number(number) };
    const departure = await explainDeparture(app, { ...part, purpose, ...said });
    return { text: departureText(departure), json: { departure: departureView(departure) } };
  },
};

export const custodyGone: Command = {
  name: 'custody gone',
  summary:
    'say that an unconfirmed transaction of yours will never be mined: what it paid waits again',
  usage: `TRANSACTION ${SAID_USAGE}`,
  options: SAID_OPTIONS,
  async run(context, { positionals, values }) {
    const transaction = onePositional(positionals, 'the id of the transaction');
    const said = saidOf(values);
    const departure = await abandonDeparture(await context.openApp(), transaction, said);
    return { text: departureText(departure), json: { departure: departureView(departure) } };
  },
};

function departureText(departure: RecordedDeparture): string {
  const { chain, transaction, status, seenAt, fee, parts } = departureView(departure);
  const lines = parts.map(
    ({ id, amount, destination, purpose }) =>
      `    ${id}  ${amount} to ${destination}  ${purpose ?? 'unexplained'}`,
  );
  const took = fee === null ? 'fee unknown' : `fee ${fee}`;
  return [`${chain}  ${status}  ${transaction}  ${took}  since ${seenAt}`, ...lines].join('\n');
}
