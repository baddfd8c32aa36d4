import { actOnSuspense } from '#suspense/act-on-suspense.ts';
import { type Command, onePositional } from './command.ts';
import { ACT_OPTIONS, ACT_USAGE, actInput, suspenseId, suspenseResult } from './suspense-result.ts';

export const suspenseWriteOff: Command = {
  name: 'suspense write-off',
  summary: 'keep money in suspense as the house’s: nobody will ask for it',
  usage: `ID ${ACT_USAGE}`,
  options: ACT_OPTIONS,
  async run(context, { positionals, values }) {
    const id = suspenseId(onePositional(positionals, 'the number of the money'));
    const act = actInput(values);
    const app = await context.openApp();
    return suspenseResult(app.db, await actOnSuspense(app, { kind: 'WRITE_OFF', id, ...act }));
  },
};
