import { doNoted } from '#audit/act.ts';
import { pinEndpointVersion } from '#event/webhook-endpoint.ts';
import { rotateWebhookSecret, webhookSecrets } from '#merchant/merchant-secret.ts';
import { readApiVersion } from '#versions/api-version.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  chooseEnvironment,
  onePositional,
  wholeOption,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

const OVERLAP_HOURS = 24;

export const webhookVersion: Command = {
  name: 'webhook version',
  summary: 'the dated version that a receiver of the whole account is told in from now on',
  usage: `RECEIVER VERSION --environment test|live [--merchant ID] ${BY_USAGE}`,
  options: { ...BY_OPTION, environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const [id = '', ...rest] = positionals;
    const apiVersion = readApiVersion(onePositional(rest, 'the version'));
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const owner = { merchantId: await chooseMerchant(app, values), environment };
    const act = { ...owner, actor: whoOf(values), verb: 'webhook-endpoint-version' };
    await doNoted(
      app,
      { ...act, subject: `webhook-endpoint:${id}`, details: { apiVersion } },
      (within) => pinEndpointVersion(within, owner, { id, apiVersion }),
    );
    return { text: `${id} is told in ${apiVersion}.`, json: { id, apiVersion } };
  },
};

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
