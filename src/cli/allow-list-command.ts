import {
  ALLOW_LIST_USES,
  type AllowLists,
  type AllowListUse,
  type allowAddress,
} from '#account/allow-list.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import { chooseEnvironment, chooseMerchant } from './choose-account.ts';
import {
  type Command,
  type CommandResult,
  onePositional,
  textOption,
  type Values,
} from './command.ts';

/** A verb that changes one of the two lists by one address, and shows what is on them then. */
export function allowListCommand(
  name: string,
  summary: string,
  change: typeof allowAddress,
): Command {
  return {
    name,
    summary,
    usage: 'ADDRESS --for calls|withdrawals --environment test|live [--merchant ID]',
    options: {
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
      const lists = await change(app, { merchantId, environment }, { use, address });
      return allowListResult(environment, lists);
    },
  };
}

/** Said aloud each time: the two lists close different doors. */
function chooseUse(values: Values): AllowListUse {
  const use = ALLOW_LIST_USES.find((one) => one === textOption(values, 'for'));
  if (use !== undefined) return use;
  throw new Refusal('invalid', 'usage', ['--for: must be calls or withdrawals']);
}

export function allowListResult(environment: Environment, lists: AllowLists): CommandResult {
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
