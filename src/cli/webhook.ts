import { doNoted } from '#audit/act.ts';
import { rotateWebhookSecret, webhookSecrets } from '#merchant/merchant-secret.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  chooseEnvironment,
  wholeOption,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

const OVERLAP_HOURS = 24;

export const webhookSecret: Command = {
  name: 'webhook secret',
  summary: 'show the secret that signs webhooks (Standard Webhooks), or change it',
  usage: `--environment test|live [--merchant ID] [--rotate [--overlap-hours N] ${BY_USAGE}]`,
  options: {
    ...BY_OPTION,
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
      const owner = { merchantId, environment };
      const act = { ...owner, actor: whoOf(values), verb: 'webhook-secret-rotate' };
      const details = { overlapHours: `${overlapHours}` };
      await doNoted(app, { ...act, subject: `merchant:${merchantId}`, details }, (within) =>
        rotateWebhookSecret(within, { ...owner, overlapHours }),
      );
    }
    const { current } = await webhookSecrets(app, merchantId, environment, app.clock.now());
    return { text: current, json: { secret: current } };
  },
};
