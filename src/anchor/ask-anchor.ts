// Deposits through an anchor (SEP-6): the customer pays the anchor on another network, the anchor
// pays us on Stellar. What it answers is checked: an address must be one of that network, and what
// it keeps must leave what is needed of what the customer was told to send. What it wants to know
// about us it is told (SEP-12) as far as the operator has set it.

import { decimalFromUnits, decimalToText } from '#money/decimal.ts';
import { isJsonObject } from '#money/exact-json.ts';
import { type AboutUs, type AnchorCustomer, anchorCustomer, shownText } from './anchor-customer.ts';
import { type AnchorFields, anchorOutage } from './anchor-http.ts';
import {
  type AnchorAnswer,
  type AnchorSession,
  type AnchorSessionOptions,
  anchorSession,
} from './anchor-session.ts';
import {
  type AnchorTerms,
  type DepositInfo,
  faultOfDeposit,
  faultOfTransfer,
  type OrderedAmounts,
  type PaidNetwork,
  type PassageLimits,
  readDepositInfo,
  textsOf,
} from './anchor-terms.ts';
import { ANCHORED_DECIMALS } from './carried-asset.ts';
import {
  awaitInstructions,
  hasInstructions,
  type PayeeAddress,
  type PayeeNetwork,
  type PayeeReading,
  readPayeeAddress,
  type TransferRecord,
  wantsToKnow,
} from './find-payee.ts';

export type Anchor = {
  /** Whether it takes deposits of the asset now, and what it keeps of them. */
  findOffer(): Promise<AnchorOffer>;
  /** The id of the transfer there, and where to pay when the anchor says that at once. */
  startDeposit(order: DepositOrder): Promise<StartedDeposit>;
  /**
   * Where to pay, when the anchor has said it.
   * @throws Refusal `payee_pending` when it does not say it for a while.
   */
  awaitPayee(id: string, order: DepositOrder): Promise<PayeeReading>;
  findTransfer(id: string): Promise<AnchorTransfer>;
};

export type AnchorOffer =
  | { readonly kind: 'open'; readonly terms: AnchorTerms }
  /** One sentence for the operator and the merchant. */
  | { readonly kind: 'closed'; readonly reason: string };

export type DepositOrder = OrderedAmounts & {
  readonly account: string;
  readonly memo: string;
};

type StartedDeposit = {
  readonly id: string;
  /** Undefined: it says so later. */
  readonly payee: PayeeAddress | undefined;
};

type AnchorTransfer = {
  readonly status: string;
  readonly amountIn: string | undefined;
  readonly amountOut: string | undefined;
  readonly externalTransaction: string | undefined;
  readonly stellarTransaction: string | undefined;
  readonly isOver: boolean;
};

type AnchorOptions = AnchorSessionOptions & {
  /** Where the customer pays. */
  readonly network: PaidNetwork & PayeeNetwork;
  readonly limits: PassageLimits;
  /** What the operator has set about itself. */
  readonly customer: AboutUs;
};

/** An anchor that refused us, and does not say whether it still does, is tried again after that. */
const REFUSED_MS = 10 * 60_000;
/** Statuses after which nothing changes any more. */
const OVER = new Set([
  'completed',
  'refunded',
  'expired',
  'error',
  'no_market',
  'too_small',
  'too_large',
]);
const INFO_NEEDED = 'non_interactive_customer_info_needed';
const ASKS_AGAIN = 'the anchor asks again for what it was told about us';

type Asking = AnchorOptions & {
  readonly session: AnchorSession;
  readonly about: AnchorCustomer;
  /** Why the anchor did not want us, and since when. */
  refusal: { readonly reason: string; readonly atMs: number } | undefined;
};

export function openAnchor(options: AnchorOptions): Anchor {
  const session = anchorSession(options);
  const about = anchorCustomer(options.customer, session, options.key.publicKey(), options.clock);
  const asking: Asking = { ...options, session, about, refusal: undefined };
  return {
    findOffer: () => findOffer(asking),
    startDeposit: (order) => startDeposit(asking, order),
    awaitPayee: (id, order) => awaitPayee(asking, id, order),
    findTransfer: (id) => findTransfer(asking, id),
  };
}

async function findOffer(asking: Asking): Promise<AnchorOffer> {
  const info = readInfo(asking, await asking.session.info({ isFresh: true }));
  if (info.kind === 'not-taken') return { kind: 'closed', reason: info.reason };
  const reason = await customerFault(asking);
  return reason === undefined ? { kind: 'open', terms: info.terms } : { kind: 'closed', reason };
}

/** Asked only of an anchor that wants to know, or when there is something to tell. */
async function customerFault(asking: Asking): Promise<string | undefined> {
  const { session, clock } = asking;
  const hasToTell = Object.keys(asking.customer).length > 0;
  const isAsked =
    asking.refusal !== undefined || (hasToTell && (await session.services()).hasKycServer);
  if (!isAsked) return undefined;
  const settled = await asking.about.settle();
  if (typeof settled !== 'string') return settled.reason;
  const { refusal } = asking;
  const isOld = refusal !== undefined && clock.monotonicMs() - refusal.atMs >= REFUSED_MS;
  if (settled === 'accepted' || isOld) asking.refusal = undefined;
  return asking.refusal?.reason;
}

async function startDeposit(asking: Asking, order: DepositOrder): Promise<StartedDeposit> {
  const { domain } = asking.identity;
  const answer = await askForDeposit(asking, order);
  const { id } = answer;
  if (typeof id !== 'string' || !/^[\w.-]{1,128}$/.test(id)) {
    throw anchorOutage(domain, 'the anchor names no transfer');
  }
  const { terms } = await lastInfo(asking);
  const fault = faultOfDeposit(answer, terms, order, asking.limits);
  if (fault !== undefined) throw anchorOutage(domain, fault);
  const payee = readPayeeAddress(answer, asking.network);
  // A sentence instead of an address: the instructions come later.
  const isSaid = hasInstructions(answer) || payee.kind === 'found';
  if (isSaid && payee.kind === 'none') throw anchorOutage(domain, payee.reason);
  return { id, payee: payee.kind === 'found' ? payee : undefined };
}

async function askForDeposit(asking: Asking, order: DepositOrder): Promise<AnchorFields> {
  const { fundingMethod } = await lastInfo(asking);
  const query = {
    asset_code: asking.identity.assetCode,
    account: order.account,
    memo_type: 'text',
    memo: order.memo,
    amount: decimalToText(decimalFromUnits(order.askedUnits, ANCHORED_DECIMALS)),
    ...(fundingMethod === undefined ? {} : { funding_method: fundingMethod }),
  };
  const ask = () => asking.session.ask({ server: 'transferServer', path: '/deposit', query });
  const answer = await ask();
  if (answer.status !== 403 || answer.json?.type !== INFO_NEEDED) return accepted(asking, answer);
  const fault = await asking.about.tell(textsOf(answer.json.fields));
  return fault === undefined ? accepted(asking, await ask()) : refuse(asking, fault);
}

async function lastInfo(asking: Asking): Promise<Extract<DepositInfo, { kind: 'taken' }>> {
  const info = readInfo(asking, await asking.session.info());
  if (info.kind === 'not-taken') throw anchorOutage(asking.identity.domain, info.reason);
  return info;
}

function readInfo({ identity, network, limits }: Asking, info: AnchorFields): DepositInfo {
  return readDepositInfo(info, identity.assetCode, network, limits.feePercentMost);
}

function accepted(asking: Asking, { status, json }: AnchorAnswer): AnchorFields {
  if (status === 200 && json !== undefined) return json;
  if (status === 403 && json?.type === 'customer_info_status') {
    const does = json.status === 'denied' ? 'has rejected' : 'is still looking at';
    refuse(asking, `the anchor ${does} what it knows about us`);
  }
  if (status === 403 && json?.type === INFO_NEEDED) refuse(asking, ASKS_AGAIN);
  const error = typeof json?.error === 'string' ? `: ${shownText(json.error)}` : '';
  const sentence = `the anchor gave no answer to /deposit (HTTP status ${status})${error}`;
  throw anchorOutage(asking.identity.domain, sentence);
}

function refuse(asking: Asking, reason: string): never {
  asking.refusal = { reason, atMs: asking.clock.monotonicMs() };
  throw anchorOutage(asking.identity.domain, reason);
}

async function awaitPayee(asking: Asking, id: string, order: DepositOrder): Promise<PayeeReading> {
  const record = await awaitInstructions({
    domain: asking.identity.domain,
    clock: asking.clock,
    transfer: () => transferRecord(asking, id),
    async tell() {
      const settled = await asking.about.settle(id);
      if (typeof settled !== 'string') refuse(asking, settled.reason);
    },
  });
  const fault = faultOfTransfer(record, order);
  if (fault !== undefined) return { kind: 'none', reason: fault };
  if (hasInstructions(record)) return readPayeeAddress(record, asking.network);
  const reason = `the anchor gave no address of the network; its transfer is ${record.status}`;
  return { kind: 'none', reason };
}

async function transferRecord({ session, identity }: Asking, id: string): Promise<TransferRecord> {
  const question = { server: 'transferServer', path: '/transaction', query: { id } } as const;
  const { status: httpStatus, json } = await session.ask(question);
  const transaction = httpStatus === 200 ? json?.transaction : undefined;
  if (!isJsonObject(transaction) || transaction.id !== id) {
    const sentence = 'the anchor does not answer about the transfer it was asked about';
    throw anchorOutage(identity.domain, sentence);
  }
  const { status } = transaction;
  if (typeof status !== 'string' || !/^[a-z_]{1,64}$/.test(status)) {
    throw anchorOutage(identity.domain, 'the anchor names no status');
  }
  return { ...transaction, status };
}

async function findTransfer(asking: Asking, id: string): Promise<AnchorTransfer> {
  const record = await transferRecord(asking, id);
  if (wantsToKnow(record)) await asking.about.settle(id);
  return {
    status: record.status,
    amountIn: textOf(record.amount_in, AMOUNT),
    amountOut: textOf(record.amount_out, AMOUNT),
    externalTransaction: textOf(record.external_transaction_id, /^[\w:-]{1,128}$/),
    stellarTransaction: textOf(record.stellar_transaction_id, /^[0-9a-f]{64}$/),
    isOver: OVER.has(record.status),
  };
}

const AMOUNT = /^\d{1,20}(?:\.\d{1,18})?$/;

/** Somebody else's text: only what has the form is kept, and shown. */
function textOf(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}
