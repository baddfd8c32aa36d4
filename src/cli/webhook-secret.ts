import { findFirstMerchant } from '#account/merchant.ts';
import { rotateWebhookSecret, webhookSecrets } from '#account/merchant-secret.ts';
import { Refusal } from '#base/refusal.ts';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import { type Command, textOption, wholeOption } from './command.ts';

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
    const environment = ENVIRONMENTS.find((one) => one === textOption(values, 'environment'));
    if (environment === undefined) {
      throw new Refusal('invalid', 'usage', ['--environment: must be test or live']);
    }
    const app = await context.openApp();
    const merchantId = textOption(values, 'merchant') ?? (await findFirstMerchant(app.db))?.id;
    if (merchantId === undefined) {
      throw new Refusal('missing', 'merchant_missing', [
        'there is no merchant yet: npx quittance merchant create --name NAME',
      ]);
    }
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
