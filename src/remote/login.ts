// Which installation to ask, with which key: kept as profiles.

import { Refusal } from '#base/refusal.ts';
import { onePositional, textOption } from '#cli/command.ts';
import { baseUrl, chooseProfile, forgetProfile, keepProfile, readProfiles } from './profile.ts';
import { openRemoteClient } from './remote-client.ts';
import { PROFILE_OPTION, PROFILE_USAGE, type RemoteCommand } from './remote-command.ts';

const INITIAL_NAME = 'default';

export const login: RemoteCommand = {
  name: 'login',
  summary: 'remember an installation and an API key for it, after asking whether it is right',
  usage: `[--url URL] [--key KEY] ${PROFILE_USAGE}   (the secret is asked for, or piped in)`,
  options: { ...PROFILE_OPTION, url: { type: 'string' }, key: { type: 'string' } },
  explains: {
    '--url URL': 'of the installation, such as https://pay.example; asked for when absent',
    '--key KEY': 'an API key, best one for test; asked for when absent',
    '--profile NAME': `what to call it, ${INITIAL_NAME} unless told`,
  },
  async run(context, { positionals, values }) {
    if (positionals.length > 0) {
      throw new Refusal('invalid', 'usage', [`too many arguments: ${positionals.join(' ')}`]);
    }
    const url = baseUrl(textOption(values, 'url') ?? (await context.askText('URL: ')));
    const key = (textOption(values, 'key') ?? (await context.askText('API key: '))).trim();
    const given = context.environment.QUITTANCE_SECRET;
    const secret = (given ?? (await context.askSecret('Secret: '))).trim();
    const name = textOption(values, 'profile') ?? INITIAL_NAME;
    const client = openRemoteClient({ name, url, key, secret }, context);
    const { json } = await client.get('/auth-test').catch(explainLogin);
    const path = keepProfile(context.environment, name, { url, key, secret });
    const environment = String(json.environment);
    return {
      text:
        `${url} knows this ${environment} key. Profile ${name} is kept in ${path}.\n` +
        'Next: npx quittance listen --forward http://localhost:3000/hook',
      json: { profile: name, url, key, environment, path },
    };
  },
};

/** @throws what it is given, with what a person can do about it. */
function explainLogin(error: unknown): never {
  if (!(error instanceof Refusal) || error.kind !== 'unauthenticated') throw error;
  throw new Refusal(error.kind, error.code, [
    'the installation does not know this key with this secret: both are shown when a key is made, ' +
      'in the dashboard under Keys; the first ones are in first-key.json of its data directory',
  ]);
}

export const logout: RemoteCommand = {
  name: 'logout',
  summary: 'forget the key of a profile; at the installation it goes on to be good',
  usage: PROFILE_USAGE,
  options: PROFILE_OPTION,
  async run({ environment }, { values }) {
    const profile = forgetProfile(environment, textOption(values, 'profile'));
    return { text: `Profile ${profile} is forgotten.`, json: { profile, forgotten: true } };
  },
};

export const listProfiles: RemoteCommand = {
  name: 'profiles',
  summary: 'the installations that are known, and which is asked unless told otherwise',
  usage: '',
  options: {},
  async run({ environment }) {
    const { chosen, profiles } = readProfiles(environment);
    const known = Object.entries(profiles).map(([name, { url, key }]) => ({
      ...{ name, url, key },
      chosen: name === chosen,
    }));
    const rows = known.map(
      (one) => `${one.chosen ? '*' : ' '} ${one.name.padEnd(20)} ${one.key}  ${one.url}`,
    );
    const text = rows.join('\n') || 'No installation is known: npx quittance login';
    return { text, json: { profiles: known } };
  },
};

export const useProfile: RemoteCommand = {
  name: 'profiles use',
  summary: 'ask this installation from now on, unless told otherwise',
  usage: 'NAME',
  options: {},
  async run({ environment }, { positionals }) {
    const name = onePositional(positionals, 'the name of the profile');
    chooseProfile(environment, name);
    return { text: `Profile ${name} is used from now on.`, json: { profile: name } };
  },
};
