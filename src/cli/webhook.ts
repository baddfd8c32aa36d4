import { rotateWebhookSecret, webhookSecrets } from '#merchant/merchant-secret.ts';
import { chooseMerchant } from './choose-merchant.ts';
import { type Command, chooseEnvironment, wholeOption } from './command.ts';

const OVERLAP_HOURS = 24;

export const webhookSecret: Command = {
  name: 'webhook secret',
  summary: 'show the secret that signs webhooks (Standard Webhooks), or change it',
  usage: '--environment test|live [--merchant ID] [--rotate] [--overlap-hours N]',
  options: {
    environment: { type: 'string' },
    merchant: { type: 'string' },
    rotate: { type: 'boolean' },
    'overlap-hours': { type: 'string' },
  },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const overlapHours = wholeOption(values, 'overlap-hours', {
      initial: OVERLAP_HOURS,
      least: 0,
      most: 24,
    });
    if (values.rotate === true) {
      await rotateWebhookSecret(app, { merchantId, environment, overlapHours });
    }
    const { current } = await webhookSecrets(app, merchantId, environment, app.clock.now());
    return { text: current, json: { secret: current } };
  },
};
