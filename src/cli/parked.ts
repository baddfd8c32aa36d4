import { doNoted } from '#audit/act.ts';
import { discardParked, listParked, retryParked } from '#server/list-parked.ts';
import { BY_OPTION, BY_USAGE, type Command, onePositional, wholeOption, whoOf } from './command.ts';

export const parkedList: Command = {
  name: 'parked list',
  summary: 'what waits for a person: since when, why, and what to do',
  usage: '[--limit 1-1000]',
  options: { limit: { type: 'string' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const parked = await listParked(app, app.clock.now(), most);
    const lines = parked.map(
      ({ id, since, reason, advice }) => `${id}  since ${since}\n    ${reason}\n    ${advice}`,
    );
    if (parked.length === 0) lines.push('Nothing is parked.');
    const json = parked.map((one) => ({ ...one, since: one.since.toString() }));
    return { text: lines.join('\n'), json: { parked: json } };
  },
};

export const parkedRetry: Command = {
  name: 'parked retry',
  summary: 'try again at once what is parked',
  usage: `ID ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'what parked list names');
    const app = await context.openApp();
    const act = { actor: whoOf(values), verb: 'parked-retry', subject: `parked:${id}` };
    await doNoted(app, act, (within) => retryParked(within, id, app.clock.now()));
    return { text: `${id} is tried again.`, json: { id, retried: true } };
  },
};

export const parkedDiscard: Command = {
  name: 'parked discard',
  summary: 'give up a letter that cannot be written: nobody is mailed of it',
  usage: `ID ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'what parked list names');
    const app = await context.openApp();
    const act = { actor: whoOf(values), verb: 'parked-discard', subject: `parked:${id}` };
    await doNoted(app, act, (within) => discardParked(within, id));
    return { text: `${id} is given up.`, json: { id, discarded: true } };
  },
};
