import { Refusal } from '#base/refusal.ts';
import { actOnSuspense } from '#suspense/act-on-suspense.ts';
import { returnSuspense } from '#suspense/return-suspense.ts';
import { type Command, onePositional, textOption } from './command.ts';
import { ACT_OPTIONS, ACT_USAGE, actInput, suspenseId, suspenseResult } from './suspense-result.ts';

export const suspenseReturn: Command = {
  name: 'suspense return',
  summary: 'send money in suspense back to an address, or record that you sent it yourself',
  usage: `ID (--address ADDRESS [--merchant ID] | --transaction TX) ${ACT_USAGE}`,
  options: {
    ...ACT_OPTIONS,
    address: { type: 'string' },
    merchant: { type: 'string' },
    transaction: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const id = suspenseId(onePositional(positionals, 'the number of the money'));
    const address = textOption(values, 'address');
    const transaction = textOption(values, 'transaction');
    if ((address === undefined) === (transaction === undefined)) {
      throw new Refusal('invalid', 'usage', [
        'one of --address (we send it) and --transaction (you have sent it) is needed',
      ]);
    }
    if (transaction !== undefined && !/^\S{1,200}$/.test(transaction)) {
      throw new Refusal('invalid', 'usage', ['--transaction: is not the id of a transaction']);
    }
    const act = actInput(values);
    const app = await context.openApp();
    const merchantId = textOption(values, 'merchant');
    const done =
      address === undefined
        ? await actOnSuspense(app, { kind: 'RETURN', id, transaction: transaction ?? '', ...act })
        : await returnSuspense(app, { id, address, merchantId, ...act });
    return suspenseResult(app.db, done);
  },
};
