import { createApiKey, SCOPES, type Scope } from '#account/api-key.ts';
import { Refusal } from '#base/refusal.ts';
import { chooseEnvironment, chooseMerchant } from './choose-account.ts';
import { type Command, textOption, type Values } from './command.ts';

export const keyCreate: Command = {
  name: 'key create',
  summary: 'issue an API key; its secret is shown once',
  usage: '--environment test|live [--merchant ID] [--label TEXT] [--scopes read,checkout,...]',
  options: {
    environment: { type: 'string' },
    merchant: { type: 'string' },
    label: { type: 'string' },
    scopes: { type: 'string' },
  },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const scopes = scopesOption(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const label = textOption(values, 'label');
    const request = { merchantId, environment, label, scopes };
    const { key, secret } = await createApiKey(app, request);
    return { text: JSON.stringify({ key, secret }), json: { key, secret } };
  },
};

/** Undefined means everything. */
function scopesOption(values: Values): Scope[] | undefined {
  const given = textOption(values, 'scopes')?.split(',');
  if (given === undefined) return undefined;
  const scopes = SCOPES.filter((scope) => given.includes(scope));
  if (scopes.length === new Set(given).size) return scopes;
  throw new Refusal('invalid', 'usage', [`--scopes: must name some of ${SCOPES.join(', ')}`]);
}
