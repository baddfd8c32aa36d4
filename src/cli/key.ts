import {
  allowBasic,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  pinApiVersion,
  preferAuthentication,
  revokeApiKey,
  rotateApiKey,
  SCOPES,
  type Scope,
} from '#access/api-key.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { AUTHENTICATION_METHODS } from '#merchant/merchant.ts';
import { readApiVersion } from '#versions/api-version.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  chooseEnvironment,
  onePositional,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

export const keyCreate: Command = {
  name: 'key create',
  summary: 'issue an API key; its secret is shown once',
  usage:
    '--environment test|live [--merchant ID] [--label TEXT] [--scopes read,checkout,...] ' +
    BY_USAGE,
  options: {
    ...BY_OPTION,
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
    const { key, secret } = await doNoted(
      app,
      {
        ...{ actor: whoOf(values), verb: 'key-create', environment, merchantId },
        subject: (made: NewApiKey) => `key:${made.key}`,
        details: { label, scopes: scopes?.join(',') ?? 'all' },
      },
      (within) => createApiKey(within, request),
    );
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

export const keyList: Command = {
  name: 'key list',
  summary: 'show the keys of a merchant, without secrets',
  usage: '[--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const keys = await listApiKeys(app.db, await chooseMerchant(app, values));
    const lines = keys.map(
      ({ key, environment, basicAllowed, scopes, apiVersion, label, revokedAt }) => {
        const state = revokedAt === null ? 'works' : `revoked ${revokedAt}`;
        const basic = basicAllowed ? 'digest, basic' : 'digest';
        const may = scopes === null ? 'everything' : scopes.join(',');
        return [key, environment, state, basic, may, apiVersion, label ?? ''].join('  ').trimEnd();
      },
    );
    const text = lines.length === 0 ? 'There are no keys.' : lines.join('\n');
    return { text, json: { keys: keys.map(toText) } };
  },
};

function toText<
  Row extends {
    createdAt: Temporal.Instant;
    olderVersionAt: Temporal.Instant | null;
    revokedAt: Temporal.Instant | null;
  },
>(row: Row) {
  const { createdAt, olderVersionAt, revokedAt } = row;
  return {
    ...row,
    createdAt: createdAt.toString(),
    olderVersionAt: olderVersionAt?.toString() ?? null,
    revokedAt: revokedAt?.toString() ?? null,
  };
}

export const keyRotate: Command = {
  name: 'key rotate',
  summary: 'give a key a new secret, shown once; the old one lives on for the overlap',
  usage: `KEY [--overlap-hours N] ${BY_USAGE}`,
  options: { ...BY_OPTION, 'overlap-hours': { type: 'string' } },
  async run(context, { positionals, values }) {
    const named = onePositional(positionals, 'the key');
    const range = { initial: 0, least: 0, most: 24 };
    const overlapHours = wholeOption(values, 'overlap-hours', range);
    const app = await context.openApp();
    const act = { actor: whoOf(values), verb: 'key-rotate', subject: `key:${named}` };
    const details = { overlapHours: `${overlapHours}` };
    const { key, secret } = await doNoted(app, { ...act, details }, (within) =>
      rotateApiKey(within, { key: named, overlapHours }),
    );
    return { text: JSON.stringify({ key, secret }), json: { key, secret, overlapHours } };
  },
};

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'end a key for good, at once',
  usage: `KEY ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const key = onePositional(positionals, 'the key');
    const act = { actor: whoOf(values), verb: 'key-revoke', subject: `key:${key}` };
    await doNoted(await context.openApp(), act, (within) => revokeApiKey(within, key));
    return { text: `${key} is revoked.`, json: { key, revoked: true } };
  },
};

export const keyBasic: Command = {
  name: 'key basic',
  summary: 'switch X-Basic on or off for a key',
  usage: `KEY on|off ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const [key = '', ...rest] = positionals;
    const choice = onePositional(rest, 'on or off');
    if (choice !== 'on' && choice !== 'off') {
      throw new Refusal('invalid', 'usage', [`on or off, not ${choice}`]);
    }
    const act = { actor: whoOf(values), verb: 'key-basic', subject: `key:${key}` };
    await doNoted(await context.openApp(), { ...act, details: { basic: choice } }, (within) =>
      allowBasic(within, key, choice === 'on'),
    );
    const text = `X-Basic is ${choice} for ${key}.`;
    return { text, json: { key, basicAllowed: choice === 'on' } };
  },
};

export const keyVersion: Command = {
  name: 'key version',
  summary: 'the dated version of the API that calls of a key have where they name none',
  usage: `KEY VERSION ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const [key = '', ...rest] = positionals;
    const apiVersion = readApiVersion(onePositional(rest, 'the version'));
    const act = { actor: whoOf(values), verb: 'key-version', subject: `key:${key}` };
    await doNoted(await context.openApp(), { ...act, details: { apiVersion } }, (within) =>
      pinApiVersion(within, key, apiVersion),
    );
    return { text: `${key} is answered in ${apiVersion}.`, json: { key, apiVersion } };
  },
};

export const keyPrefer: Command = {
  name: 'key prefer',
  summary: 'how the keys of an account authenticate, those that there are and those to come',
  usage: `digest|basic --environment test|live [--merchant ID] ${BY_USAGE}`,
  options: { ...BY_OPTION, environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const given = onePositional(positionals, 'digest or basic');
    const method = AUTHENTICATION_METHODS.find((one) => one.toLowerCase() === given);
    if (method === undefined) {
      throw new Refusal('invalid', 'usage', [`digest or basic, not ${given}`]);
    }
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const owner = { merchantId, environment };
    const details = { preferredAuthentication: method };
    const act = { actor: whoOf(values), verb: 'key-prefer', ...owner, details };
    await doNoted(app, { ...act, subject: `merchant:${merchantId}` }, (within) =>
      preferAuthentication(within, owner, method),
    );
    const text = `Keys of ${merchantId} (${environment}) prefer ${method}.`;
    return { text, json: { ...owner, preferredAuthentication: method } };
  },
};
