import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import type { Owner } from '#catalog/owner.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import type { SandboxPort } from '#checkout-settlement/sandbox-port.ts';
import type { App } from '#server/app.ts';
import { type Command, onePositional, textOption, type Values, wholeOption } from './command.ts';

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
    const owner = await findOwner(app, checkoutId);
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

export const sandboxMine: Command = {
  name: 'sandbox mine',
  summary: 'make blocks on a simulated network, or on all of them',
  usage: '[--network NETWORK] [--blocks N]',
  options: { network: { type: 'string' }, blocks: { type: 'string' } },
  async run(context, { values }) {
    const blocks = wholeOption(values, 'blocks', { initial: 1, least: 1, most: 1000 });
    const network = textOption(values, 'network');
    const tips = await getSandbox(await context.openApp()).mine(undefined, { network, blocks });
    const rows = tips.map((tip) => ({ ...tip, height: String(tip.height) }));
    return {
      text: rows.map((tip) => `${tip.network} is at block ${tip.height}`).join('\n'),
      json: { tips: rows },
    };
  },
};

export const sandboxReplace: Command = {
  name: 'sandbox replace',
  summary: 'replace the unconfirmed payment of a test checkout by one that pays somebody else',
  usage: 'CHECKOUT_ID',
  options: {},
  async run(context, { positionals }) {
    const checkoutId = onePositional(positionals, 'the checkout id');
    const app = await context.openApp();
    const owner = await findOwner(app, checkoutId);
    const payments = await getSandbox(app).replace(owner, { checkoutId });
    const lines = payments.map(({ transaction }) => `replaced by ${transaction}`);
    return { text: lines.join('\n'), json: { checkoutId, payments } };
  },
};

export const sandboxReorg: Command = {
  name: 'sandbox reorg',
  summary: 'undo the last blocks of a simulated network and make others without their payments',
  usage: '--network NETWORK [--depth N]',
  options: { network: { type: 'string' }, depth: { type: 'string' } },
  async run(context, { values }) {
    const network = requireNetwork(values);
    const depth = wholeOption(values, 'depth', { initial: 1, least: 1, most: 100 });
    const tip = await getSandbox(await context.openApp()).reorg(undefined, { network, depth });
    const height = String(tip.height);
    return {
      text: `${network}: ${counted(depth, 'block')} undone, now at block ${height}`,
      json: { ...tip, height, depth },
    };
  },
};

export const sandboxExpire: Command = {
  name: 'sandbox expire',
  summary: 'end the payment window of a test checkout now',
  usage: 'CHECKOUT_ID',
  options: {},
  async run(context, { positionals }) {
    const checkoutId = onePositional(positionals, 'the checkout id');
    const app = await context.openApp();
    const owner = await findOwner(app, checkoutId);
    await getSandbox(app).expire(owner, { checkoutId });
    return { text: `the window of ${checkoutId} is over`, json: { checkoutId } };
  },
};

export const sandboxFreeze: Command = {
  name: 'sandbox freeze',
  summary: 'let a simulated node be away for a while (0 seconds brings it back)',
  usage: '--network NETWORK [--seconds N]',
  options: { network: { type: 'string' }, seconds: { type: 'string' } },
  async run(context, { values }) {
    const network = requireNetwork(values);
    const seconds = wholeOption(values, 'seconds', { initial: 60, least: 0, most: 86_400 });
    await getSandbox(await context.openApp()).freeze(undefined, { network, seconds });
    return { text: `${network} is away for ${seconds} s`, json: { network, seconds } };
  },
};

/** @throws Refusal when the sandbox is switched off. */
function getSandbox(app: App): SandboxPort {
  if (app.sandbox === undefined) {
    throw new Refusal('conflict', 'sandbox_off', ['the sandbox is switched off (SANDBOX=on)']);
  }
  return app.sandbox;
}

/** The operator acts for whoever owns the checkout. @throws Refusal */
async function findOwner(app: App, checkoutId: string): Promise<Owner> {
  const record = await findAnyCheckout(app, checkoutId);
  if (record === undefined || record.environment !== 'test') {
    throw new Refusal('missing', 'checkout_missing', [`no test checkout has the id ${checkoutId}`]);
  }
  return { merchantId: record.merchantId, environment: record.environment };
}

/** `--network`. @throws Refusal */
function requireNetwork(values: Values): string {
  const network = textOption(values, 'network');
  if (network === undefined) throw new Refusal('invalid', 'usage', ['--network is missing']);
  return network;
}
