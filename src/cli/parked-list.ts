import { listParked } from '#server/list-parked.ts';
import { type Command, wholeOption } from './command.ts';

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
