// Money in suspense: what an operator sees of it, and decides.

import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { Suspense } from '#settle/suspense.ts';
import { actOnSuspense } from '#suspense/act-on-suspense.ts';
import { returnSuspense } from '#suspense/return-suspense.ts';
import {
  joinSuspense,
  listSuspense,
  type SuspenseRecord,
  suspenseView,
} from '#suspense/suspense-view.ts';
import {
  type Command,
  type CommandResult,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  wholeOption,
} from './command.ts';

export const suspenseList: Command = {
  name: 'suspense list',
  summary: 'money that arrived and is nobody’s yet, with the reason',
  usage: '[--all] [--merchant ID] [--limit 1-1000]',
  options: {
    all: { type: 'boolean' },
    merchant: { type: 'string' },
    limit: { type: 'string' },
  },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const isOpen = values.all !== true;
    const merchantId = textOption(values, 'merchant');
    const found = await listSuspense({ db }, { isOpen, merchantId }, most + 1);
    const shown = found.slice(0, most);
    const lines = shown.map(suspenseLine);
    if (found.length > most) lines.push(`and more: --limit shows up to 1000`);
    if (shown.length === 0) lines.push('Nothing waits in suspense.');
    return { text: lines.join('\n'), json: { suspense: shown.map(operatorView) } };
  },
};

export const suspenseAssign: Command = {
  name: 'suspense assign',
  summary: 'give money in suspense to a merchant, for one of its checkouts or without one',
  usage: `ID (--checkout ID | --merchant ID) ${SAID_USAGE}`,
  options: { ...SAID_OPTIONS, checkout: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const id = suspenseId(onePositional(positionals, 'the number of the money'));
    const checkoutId = textOption(values, 'checkout');
    const merchantId = textOption(values, 'merchant');
    if (checkoutId === undefined && merchantId === undefined) {
      throw new Refusal('invalid', 'usage', ['--checkout or --merchant: say whose it is']);
    }
    const target = {
      ...(checkoutId === undefined ? {} : { checkoutId }),
      ...(merchantId === undefined ? {} : { merchantId }),
    };
    const act = saidOf(values);
    const app = await context.openApp();
    return suspenseResult(
      app.db,
      await actOnSuspense(app, { kind: 'ASSIGN', id, ...act, ...target }),
    );
  },
};

export const suspenseReturn: Command = {
  name: 'suspense return',
  summary: 'send money in suspense back to an address, or record that you sent it yourself',
  usage: `ID (--address ADDRESS [--merchant ID] | --transaction TX) ${SAID_USAGE}`,
  options: {
    ...SAID_OPTIONS,
    address: { type: 'string' },
    merchant: { type: 'string' },
    transaction: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const id = suspenseId(onePositional(positionals, 'the number of the money'));
    const address = textOption(values, 'address');
    const transaction = textOption(values, 'transaction');
    if ((address === undefined) === (transaction === undefined)) {
      throw new Refusal('invalid', 'usage', [
        'one of --address (we send it) and --transaction (you have sent it) is needed',
      ]);
    }
    if (transaction !== undefined && !/^\S{1,200}$/.test(transaction)) {
      throw new Refusal('invalid', 'usage', ['--transaction: is not the id of a transaction']);
    }
    const act = saidOf(values);
    const app = await context.openApp();
    const merchantId = textOption(values, 'merchant');
    const done =
      address === undefined
        ? await actOnSuspense(app, { kind: 'RETURN', id, transaction: transaction ?? '', ...act })
        : await returnSuspense(app, { id, address, merchantId, ...act });
    return suspenseResult(app.db, done);
  },
};

export const suspenseWriteOff: Command = {
  name: 'suspense write-off',
  summary: 'keep money in suspense as the house’s: nobody will ask for it',
  usage: `ID ${SAID_USAGE}`,
  options: SAID_OPTIONS,
  async run(context, { positionals, values }) {
    const id = suspenseId(onePositional(positionals, 'the number of the money'));
    const act = saidOf(values);
    const app = await context.openApp();
    return suspenseResult(app.db, await actOnSuspense(app, { kind: 'WRITE_OFF', id, ...act }));
  },
};

/** @throws Refusal */
function suspenseId(text: string): bigint {
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
  throw new Refusal('invalid', 'usage', [
    `${text}: is not a number of npx quittance suspense list`,
  ]);
}

/** For the operator: with who decided and why. */
function operatorView(record: SuspenseRecord) {
  return {
    ...JSON.parse(stringifyExact(suspenseView(record))),
    environment: record.suspense.environment,
    merchantId: record.suspense.merchantId ?? null,
    acts: record.acts.map(({ kind, actor, reason, actedAt, transferId, isPayment }) => ({
      kind,
      isPayment: isPayment === true,
      by: actor,
      reason,
      at: actedAt.toString(),
      transferId: transferId ?? null,
    })),
  };
}

export function suspenseLine(record: SuspenseRecord): string {
  const { suspense } = record;
  const view = suspenseView(record);
  const names = [view.checkoutId, view.depositAddressId].find((id) => id !== null);
  const whose = names === undefined ? 'names nobody' : `names ${suspense.purpose} ${names}`;
  const detail = view.detail === null ? '' : `\n    ${view.detail}`;
  return (
    `${view.id}  ${suspense.state}  ${view.amount} ${view.amountAssetCode} on ` +
    `${suspense.environment}:${suspense.network}  ${suspense.reason}  since ${suspense.foundAt}\n` +
    `    ${whose}; in ${view.tx} to ${view.destination}${detail}${assignedText(record)}`
  );
}

/** Whether what was assigned to a checkout pays for it. */
function assignedText({ suspense, acts }: SuspenseRecord): string {
  const last = acts.at(-1);
  if (suspense.state !== 'ASSIGNED' || last?.checkoutId === undefined) return '';
  if (last.isPayment === true) return `\n    it is a payment of checkout ${last.checkoutId}`;
  return (
    `\n    it is the merchant's, in the asset it came in, and does not pay for checkout ` +
    `${last.checkoutId}: it could not be valued, or EXPOSURE_LIMIT_USD does not cover converting it`
  );
}

async function suspenseResult(db: Reader, suspense: Suspense): Promise<CommandResult> {
  const [record] = await joinSuspense(db, [suspense]);
  if (record === undefined) throw new Error('suspense has a receipt');
  return { text: suspenseLine(record), json: { suspense: operatorView(record) } };
}
