import { retryParked } from '#server/list-parked.ts';
import { type Command, onePositional } from './command.ts';

export const parkedRetry: Command = {
  name: 'parked retry',
  summary: 'try again at once what is parked',
  usage: 'ID',
  options: {},
  async run(context, { positionals }) {
    const id = onePositional(positionals, 'what parked list names');
    const app = await context.openApp();
    await retryParked(app, id, app.clock.now());
    return { text: `${id} is tried again.`, json: { id, retried: true } };
  },
};
