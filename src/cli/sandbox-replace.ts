import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { type Command, onePositional } from './command.ts';
import { getSandbox, ownerOf } from './sandbox-access.ts';

export const sandboxReplace: Command = {
  name: 'sandbox replace',
  summary: 'replace the unconfirmed payment of a test checkout by one that pays somebody else',
  usage: 'CHECKOUT_ID',
  options: {},
  async run(context, { positionals }) {
    const checkoutId = onePositional(positionals, 'the checkout id');
    const app = await context.openApp();
    const owner = ownerOf(await findAnyCheckout(app, checkoutId), checkoutId);
    const payments = await getSandbox(app).replace(owner, { checkoutId });
    const lines = payments.map(({ transaction }) => `replaced by ${transaction}`);
    return { text: lines.join('\n'), json: { checkoutId, payments } };
  },
};
