import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { type Command, onePositional } from './command.ts';
import { getSandbox, ownerOf } from './sandbox-access.ts';

export const sandboxExpire: Command = {
  name: 'sandbox expire',
  summary: 'end the payment window of a test checkout now',
  usage: 'CHECKOUT_ID',
  options: {},
  async run(context, { positionals }) {
    const checkoutId = onePositional(positionals, 'the checkout id');
    const app = await context.openApp();
    const owner = ownerOf(await findAnyCheckout(app, checkoutId), checkoutId);
    await getSandbox(app).expire(owner, { checkoutId });
    return { text: `the window of ${checkoutId} is over`, json: { checkoutId } };
  },
};
