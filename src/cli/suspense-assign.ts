import { Refusal } from '#base/refusal.ts';
import { actOnSuspense } from '#suspense/act-on-suspense.ts';
import { type Command, onePositional, textOption } from './command.ts';
import { ACT_OPTIONS, ACT_USAGE, actInput, suspenseId, suspenseResult } from './suspense-result.ts';

export const suspenseAssign: Command = {
  name: 'suspense assign',
  summary: 'give money in suspense to a merchant, for one of its checkouts or without one',
  usage: `ID (--checkout ID | --merchant ID) ${ACT_USAGE}`,
  options: { ...ACT_OPTIONS, checkout: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const id = suspenseId(onePositional(positionals, 'the number of the money'));
    const checkoutId = textOption(values, 'checkout');
    const merchantId = textOption(values, 'merchant');
    if (checkoutId === undefined && merchantId === undefined) {
      throw new Refusal('invalid', 'usage', ['--checkout or --merchant: say whose it is']);
    }
    const target = {
      ...(checkoutId === undefined ? {} : { checkoutId }),
      ...(merchantId === undefined ? {} : { merchantId }),
    };
    const act = actInput(values);
    const app = await context.openApp();
    return suspenseResult(
      app.db,
      await actOnSuspense(app, { kind: 'ASSIGN', id, ...act, ...target }),
    );
  },
};
