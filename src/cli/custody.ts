// Money that left the addresses we watch and carried no transfer: what an operator sees of it, and
// says of it.

import { Refusal } from '#base/refusal.ts';
import type { RecordedDeparture } from '#chain/departure.ts';
import {
  abandonDeparture,
  departureView,
  explainDeparture,
  listDepartures,
  settlePart,
} from '#custody/explain-departure.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { sendingView } from '#transfer/send-by-hand.ts';
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
    const part = readPart(onePositional(positionals, PART));
    const as = textOption(values, 'as') ?? '';
    const purpose = Object.entries(PURPOSES).find(([name]) => name === as)?.[1];
    if (purpose === undefined) throw new Refusal('invalid', 'usage', [`--as: one of ${WHAT}`]);
    const said = saidOf(values);
    const app = await context.openApp();
    const departure = await explainDeparture(app, { ...part, purpose, ...said });
    return { text: departureText(departure), json: { departure: departureView(departure) } };
  },
};

export const custodySettle: Command = {
  name: 'custody settle',
  summary: 'say which transfer it carries, where that could not be told from the receiver',
  usage: `ID:PART TRANSFER ${SAID_USAGE}`,
  options: SAID_OPTIONS,
  async run(context, { positionals, values }) {
    const [named = '', ...rest] = positionals;
    const part = readPart(named);
    const transferId = onePositional(rest, 'the id of a transfer of npx quittance send list');
    const said = saidOf(values);
    const app = await context.openApp();
    const settling = { ...app, ...transferGrounds(app) };
    const transfer = await settlePart(settling, { ...part, transferId, ...said });
    const view = sendingView({ transfer });
    return { text: `${view.id}  ${view.state}  ${view.send}`, json: { transfer: view } };
  },
};

const PART = 'a part as npx quittance custody list names it';

/** @throws Refusal */
function readPart(named: string): { readonly departureId: bigint; readonly number: number } {
  const [, departureId, number] = /^([1-9]\d{0,17}):([1-9]\d{0,5})$/.exec(named) ?? [];
  if (departureId === undefined) {
    throw new Refusal('invalid', 'usage', ['ID:PART: as npx quittance custody list names it']);
  }
  return { departureId: BigInt(departureId), number: Number(number) };
}

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
