import {
  ALLOW_LIST_USES,
  type AllowLists,
  type AllowListUse,
  allowAddress,
  allowAnyCaller,
  forbidAddress,
  listAllowedAddresses,
} from '#access/allow-list.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  type CommandResult,
  chooseEnvironment,
  onePositional,
  textOption,
  type Values,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

export const allowListAdd = allowListCommand(
  'allow-list add',
  'let an address or CIDR range move money out, or let only the listed ones call at all',
  allowAddress,
);

export const allowListRemove = allowListCommand(
  'allow-list remove',
  'take an address or CIDR range off the list',
  forbidAddress,
);

export const allowListAny: Command = {
  name: 'allow-list any',
  summary: 'let any address call again; withdrawals stay as they are',
  usage: `--environment test|live [--merchant ID] ${BY_USAGE}`,
  options: { ...BY_OPTION, environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const owner = { merchantId, environment };
    const act = { ...owner, actor: whoOf(values), verb: 'allow-list-any' };
    const lists = await doNoted(app, { ...act, subject: `merchant:${merchantId}` }, (within) =>
      allowAnyCaller(within, owner),
    );
    return allowListResult(environment, lists);
  },
};

export const allowListList: Command = {
  name: 'allow-list list',
  summary: 'show which addresses may call, and which may move money out',
  usage: '--environment test|live [--merchant ID]',
  options: { environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const owner = { merchantId, environment };
    return allowListResult(environment, await listAllowedAddresses(app.db, owner));
  },
};

/** A verb that changes one of the two lists by one address, and shows what is on them then. */
function allowListCommand(
  name: 'allow-list add' | 'allow-list remove',
  summary: string,
  change: typeof allowAddress,
): Command {
  return {
    name,
    summary,
    usage: `ADDRESS --for calls|withdrawals --environment test|live [--merchant ID] ${BY_USAGE}`,
    options: {
      ...BY_OPTION,
      for: { type: 'string' },
      environment: { type: 'string' },
      merchant: { type: 'string' },
    },
    async run(context, { positionals, values }) {
      const address = onePositional(positionals, 'the address or range');
      const use = chooseUse(values);
      const environment = chooseEnvironment(values);
      const app = await context.openApp();
      const merchantId = await chooseMerchant(app, values);
      const owner = { merchantId, environment };
      const act = { ...owner, actor: whoOf(values), verb: name.replace(' ', '-') };
      const lists = await doNoted(
        app,
        { ...act, subject: `merchant:${merchantId}`, details: { for: use, address } },
        (within) => change(within, owner, { use, address }),
      );
      return allowListResult(environment, lists);
    },
  };
}

/** Printed each time, because the two lists restrict different things. */
function chooseUse(values: Values): AllowListUse {
  const use = ALLOW_LIST_USES.find((one) => one === textOption(values, 'for'));
  if (use !== undefined) return use;
  throw new Refusal('invalid', 'usage', ['--for: must be calls or withdrawals']);
}

function allowListResult(environment: Environment, lists: AllowLists): CommandResult {
  const { calls, withdrawals } = lists;
  const lines = [
    `calls        ${callsText(calls)}`,
    `withdrawals  ${withdrawals.length === 0 ? 'closed: no address is listed' : withdrawals.join(', ')}`,
  ];
  return {
    text: lines.join('\n'),
    json: { environment, calls: calls ?? 'any', withdrawals },
  };
}

function callsText(calls: AllowLists['calls']): string {
  if (calls === undefined) return 'from any address';
  if (calls.length > 0) return calls.join(', ');
  return 'closed: no address is listed; npx quittance allow-list any opens them';
}
