// Checkouts as a program of the shop makes and reads them.

import { Refusal } from '#base/refusal.ts';
import { onePositional, textOption, type Values } from '#cli/command.ts';
import { parseExactJson } from '#money/exact-json.ts';
import type { ClientAnswer, Json } from './remote-client.ts';
import {
  LIVE_EXPLAINED,
  LIVE_OPTION,
  LIVE_USAGE,
  openRemote,
  openTestRemote,
  PROFILE_EXPLAINED,
  PROFILE_OPTION,
  PROFILE_USAGE,
  type RemoteCommand,
  type RemoteContext,
} from './remote-command.ts';

const TEXT = { type: 'string' } as const;

export const checkoutCreate: RemoteCommand = {
  name: 'checkout create',
  summary: 'make a checkout, by options or by the JSON of a request (- is the standard input)',
  usage:
    '(--amount 19.90 --currency EUR [--description TEXT] [--product ID] [--settle-in ASSET] ' +
    '[--webhook URL] [--return-url URL] [--cancel-url URL] [--meta NAME=VALUE,…] | --from FILE) ' +
    `[--self-hosted] ${LIVE_USAGE} ${PROFILE_USAGE}`,
  options: {
    ...PROFILE_OPTION,
    ...LIVE_OPTION,
    ...{ amount: TEXT, currency: TEXT, description: TEXT, product: TEXT, 'settle-in': TEXT },
    ...{ webhook: TEXT, 'return-url': TEXT, 'cancel-url': TEXT, meta: TEXT, from: TEXT },
    'self-hosted': { type: 'boolean' },
  },
  explains: {
    '--amount 19.90': 'net, in the currency',
    '--currency EUR': 'a billing currency',
    '--description TEXT': 'of the one line of the bill',
    '--product ID': 'what the line is called in your shop',
    '--settle-in ASSET': 'what you are credited in, ORIGIN for what is paid',
    '--webhook URL': 'where events of this checkout go',
    '--return-url URL': 'where the page leads the buyer when it is paid',
    '--cancel-url URL': 'where it leads a buyer who turns back',
    '--meta NAME=VALUE,…': 'your own data; sandbox=underpaid and others make a payer act',
    '--from FILE': 'the JSON of a request instead, - for the standard input',
    '--self-hosted': 'without a page: the ways to pay are listed',
    ...LIVE_EXPLAINED,
    ...PROFILE_EXPLAINED,
  },
  async run(context, { values }) {
    const request = await readRequest(context, values);
    const { client } = await openTestRemote(context, values);
    const isHosted = values['self-hosted'] !== true;
    const made = await client.post(isHosted ? '/checkout/hosted' : '/checkout', request);
    const id = String(made.json.id);
    if (!isHosted) return { text: methodsText(id, made.json), json: { ...made.json } };
    const text = `Checkout ${id}\n  page       ${made.json.url}\nNext: npx quittance listen`;
    return { text, json: { ...made.json } };
  },
};

/** `checkout show` with a profile: the same words as beside the database. */
export const remoteCheckoutShow: RemoteCommand = {
  name: 'checkout show',
  summary: 'show a checkout with everything known about it, as the API answers it',
  usage: `ID ${PROFILE_USAGE}`,
  options: PROFILE_OPTION,
  explains: PROFILE_EXPLAINED,
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'the checkout id');
    const { client } = openRemote(context, values);
    const answer = await client.get('/checkout', { id });
    return { text: checkoutText(answer), json: { checkout: answer.json.checkout } };
  },
};

function methodsText(id: string, json: Json): string {
  const methods = (json.paymentMethods ?? []) as unknown as readonly {
    readonly network: string;
    readonly relatedAssetId: string;
    readonly assetCode: string;
    readonly paymentAmount: string;
  }[];
  const rows = methods.map(
    ({ network, relatedAssetId, paymentAmount, assetCode }) =>
      `  ${network.padEnd(14)} ${`${paymentAmount} ${assetCode}`.padEnd(26)} ${relatedAssetId}`,
  );
  return [`Checkout ${id}`, ...rows].join('\n');
}

type ShownCheckout = {
  readonly [name: string]: string | undefined;
} & {
  readonly stateHistory: readonly { readonly state: string; readonly timestamp: string }[];
  readonly depositInstructions: Readonly<Record<string, string | null>> | null;
  readonly blockchainTransactions: readonly Readonly<Record<string, string | number | null>>[];
};

function checkoutText({ json }: ClientAnswer): string {
  const checkout = json.checkout as unknown as ShownCheckout;
  const pay = checkout.depositInstructions;
  return [
    `Checkout ${checkout.id}  ${checkout.state}`,
    `  total      ${checkout.total} ${checkout.billingCurrency}`,
    `  page       ${checkout.hostedCheckoutUrl}`,
    ...checkout.stateHistory.map(({ state, timestamp }) => `  ${timestamp}  ${state}`),
    ...(pay === null
      ? []
      : [`  pay        ${pay.amount} ${pay.assetCode} on ${pay.network} to ${pay.address}`]),
    ...checkout.blockchainTransactions.map(
      ({ type, amount, amountAssetCode, network, tx, confirmations }) =>
        `  ${String(type).padEnd(20)} ${amount} ${amountAssetCode} on ${network}, ` +
        `${confirmations ?? 0} confirmations, ${tx}`,
    ),
  ].join('\n');
}

/** The text of a request, as it goes out. @throws Refusal */
async function readRequest(context: RemoteContext, values: Values): Promise<string> {
  const from = textOption(values, 'from');
  if (from === undefined) return JSON.stringify(requestOf(values));
  if (textOption(values, 'amount') !== undefined) {
    throw new Refusal('invalid', 'usage', ['--from and --amount: give one of them']);
  }
  const text = await context.readText(from);
  const parsed = parseExactJson(text);
  if (parsed.ok) return text;
  throw new Refusal('invalid', 'usage', [`--from: ${parsed.message}`]);
}

function requestOf(values: Values): object {
  const amount = required(values, 'amount');
  const productId = textOption(values, 'product');
  const description = textOption(values, 'description') ?? 'Test';
  const pageSettings = {
    returnUrl: textOption(values, 'return-url'),
    cancelUrl: textOption(values, 'cancel-url'),
  };
  const isPaged = pageSettings.returnUrl !== undefined || pageSettings.cancelUrl !== undefined;
  return {
    charge: {
      billingCurrency: required(values, 'currency'),
      lineItems: [{ description, productId, netAmount: amount }],
    },
    settlementAsset: textOption(values, 'settle-in'),
    webhook: textOption(values, 'webhook'),
    ...(isPaged && { pageSettings }),
    meta: metaOf(textOption(values, 'meta')),
  };
}

function metaOf(text: string | undefined): object | undefined {
  const pairs = text?.split(',').map((pair) => {
    const at = pair.indexOf('=');
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)] as const;
    throw new Refusal('invalid', 'usage', ['--meta: must be like order=7,shop=Berlin']);
  });
  return pairs && Object.fromEntries(pairs);
}

function required(values: Values, name: string): string {
  const value = textOption(values, name);
  if (value !== undefined) return value;
  throw new Refusal('invalid', 'usage', [`--${name} is missing (or --from FILE)`]);
}
