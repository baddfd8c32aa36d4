import { Refusal } from '#base/refusal.ts';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import { createApiKey } from '#merchant/create-api-key.ts';
import { findFirstMerchant } from '#merchant/create-merchant.ts';
import { type Command, textOption } from './command.ts';

export const keyCreate: Command = {
  name: 'key create',
  summary: 'issue an API key; its secret is shown once',
  usage: '--environment test|live [--merchant ID] [--label TEXT]',
  options: {
    environment: { type: 'string' },
    merchant: { type: 'string' },
    label: { type: 'string' },
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
    const label = textOption(values, 'label');
    const { key, secret } = await createApiKey(app, { merchantId, environment, label });
    return { text: JSON.stringify({ key, secret }), json: { key, secret } };
  },
};
