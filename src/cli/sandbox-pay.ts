import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { type Command, onePositional, textOption, wholeOption } from './command.ts';
import { getSandbox, ownerOf } from './sandbox-access.ts';

export const sandboxPay: Command = {
  name: 'sandbox pay',
  summary: 'pay a test checkout on its simulated network; commits first when nothing is committed',
  usage: 'CHECKOUT_ID [--amount TEXT] [--parts N] [--method NETWORK] [--asset ID]',
  options: {
    amount: { type: 'string' },
    parts: { type: 'string' },
    method: { type: 'string' },
    asset: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const checkoutId = onePositional(positionals, 'the checkout id');
    const app = await context.openApp();
    const owner = ownerOf(await findAnyCheckout(app, checkoutId), checkoutId);
    const payments = await getSandbox(app).pay(owner, {
      checkoutId,
      network: textOption(values, 'method'),
      asset: textOption(values, 'asset'),
      amount: textOption(values, 'amount'),
      parts: wholeOption(values, 'parts', { initial: 1, least: 1, most: 20 }),
    });
    const lines = payments.map(
      (payment) => `sent ${payment.amount} on ${payment.network} in ${payment.transaction}`,
    );
    return { text: lines.join('\n'), json: { checkoutId, payments } };
  },
};
