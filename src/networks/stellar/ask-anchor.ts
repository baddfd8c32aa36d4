// Deposits through an anchor (SEP-6): the customer pays the anchor on another network, the anchor
// pays us on Stellar. What it answers is checked: an address must be one of that network, and what
// it keeps must leave what is needed of what the customer was told to send. What it wants to know
// about us it is told (SEP-12) as far as the operator has set it.

import { decimalFromUnits, decimalToText } from '#money/decimal.ts';
import { anchorCustomer, type CustomerFields, shownText } from './anchor-customer.ts';
import { type DepositInfo, type PaidNetwork, readDepositInfo, textsOf } from './anchor-info.ts';
import { type AnchorAnswer, type AnchorSessionOptions, anchorSession } from './anchor-session.ts';
import type { AnchorTerms, PassageLimits } from './anchor-terms.ts';
import {
  awaitInstructions,
  hasInstructions,
  type TransferRecord,
  wantsToKnow,
} from './await-instructions.ts';
import { outage } from './horizon.ts';
import { isFields } from './horizon-fields.ts';
import type { AnchorFields } from './read-anchor-answer.ts';
import {
  type PayeeAddress,
  type PayeeNetwork,
  type PayeeReading,
  readPayeeAddress,
} from './read-payee-address.ts';
import { faultOfDeposit, faultOfTransfer, type OrderedAmounts } from './refuse-other-terms.ts';

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

export type StartedDeposit = {
  readonly id: string;
  /** Undefined: it says so later. */
  readonly payee: PayeeAddress | undefined;
};

export type AnchorTransfer = {
  readonly status: string;
  readonly amountIn: string | undefined;
  readonly amountOut: string | undefined;
  readonly externalTransaction: string | undefined;
  readonly stellarTransaction: string | undefined;
  readonly isOver: boolean;
};

export type AnchorOptions = AnchorSessionOptions & {
  /** Where the customer pays. */
  readonly network: PaidNetwork & PayeeNetwork;
  readonly limits: PassageLimits;
  /** What the operator has set about itself. */
  readonly customer: CustomerFields;
};

/** An anchor that refused us, and does not say whether it still does, is tried again after that. */
const REFUSED_MS = 10 * 60_000;
/** Everything on Stellar. */
const DECIMALS = 7;
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

export function openAnchor(options: AnchorOptions): Anchor {
  const { identity, clock, limits, network } = options;
  const { domain, assetCode } = identity;
  const session = anchorSession(options);
  const customer = anchorCustomer(options.customer, session, options.key.publicKey(), clock);
  let refusal: { readonly reason: string; readonly atMs: number } | undefined;

  function refuse(reason: string): never {
    refusal = { reason, atMs: clock.monotonicMs() };
    throw outage(domain, reason);
  }

  /** Asked only of an anchor that wants to know, or when there is something to tell. */
  async function customerFault(): Promise<string | undefined> {
    const hasToTell = Object.keys(options.customer).length > 0;
    const isAsked = refusal !== undefined || (hasToTell && (await session.services()).hasKycServer);
    if (!isAsked) return undefined;
    const settled = await customer.settle();
    if (typeof settled !== 'string') return settled.reason;
    const isOld = refusal !== undefined && clock.monotonicMs() - refusal.atMs >= REFUSED_MS;
    if (settled === 'accepted' || isOld) refusal = undefined;
    return refusal?.reason;
  }

  async function lastInfo(): Promise<Extract<DepositInfo, { kind: 'taken' }>> {
    const info = readDepositInfo(await session.info(), assetCode, network, limits.feePercentMost);
    if (info.kind === 'not-taken') throw outage(domain, info.reason);
    return info;
  }

  async function askForDeposit(order: DepositOrder): Promise<AnchorFields> {
    const { fundingMethod } = await lastInfo();
    const query = {
      asset_code: assetCode,
      account: order.account,
      memo_type: 'text',
      memo: order.memo,
      amount: decimalToText(decimalFromUnits(order.sentUnits, DECIMALS)),
      ...(fundingMethod === undefined ? {} : { funding_method: fundingMethod }),
    };
    const ask = () => session.ask({ server: 'transferServer', path: '/deposit', query });
    const answer = await ask();
    if (answer.status !== 403 || answer.json?.type !== INFO_NEEDED) return accepted(answer);
    const fault = await customer.tell(textsOf(answer.json.fields));
    return fault === undefined ? accepted(await ask()) : refuse(fault);
  }

  function accepted({ status, json }: AnchorAnswer): AnchorFields {
    if (status === 200 && json !== undefined) return json;
    if (status === 403 && json?.type === 'customer_info_status') {
      const does = json.status === 'denied' ? 'has rejected' : 'is still looking at';
      refuse(`the anchor ${does} what it knows about us`);
    }
    if (status === 403 && json?.type === INFO_NEEDED) refuse(ASKS_AGAIN);
    const error = typeof json?.error === 'string' ? `: ${shownText(json.error)}` : '';
    throw outage(domain, `the anchor gave no answer to /deposit (HTTP status ${status})${error}`);
  }

  async function transferRecord(id: string): Promise<TransferRecord> {
    const question = { server: 'transferServer', path: '/transaction', query: { id } } as const;
    const { status: httpStatus, json } = await session.ask(question);
    const transaction = httpStatus === 200 ? json?.transaction : undefined;
    if (!isFields(transaction) || transaction.id !== id) {
      throw outage(domain, 'the anchor does not answer about the transfer it was asked about');
    }
    const { status } = transaction;
    if (typeof status !== 'string' || !/^[a-z_]{1,64}$/.test(status)) {
      throw outage(domain, 'the anchor names no status');
    }
    return { ...transaction, status };
  }

  async function tell(id: string): Promise<void> {
    const settled = await customer.settle(id);
    if (typeof settled !== 'string') refuse(settled.reason);
  }

  return {
    async findOffer() {
      const json = await session.info({ isFresh: true });
      const info = readDepositInfo(json, assetCode, network, limits.feePercentMost);
      if (info.kind === 'not-taken') return { kind: 'closed', reason: info.reason };
      const reason = await customerFault();
      return reason === undefined
        ? { kind: 'open', terms: info.terms }
        : { kind: 'closed', reason };
    },
    async startDeposit(order) {
      const answer = await askForDeposit(order);
      const { id } = answer;
      if (typeof id !== 'string' || !/^[\w.-]{1,128}$/.test(id)) {
        throw outage(domain, 'the anchor names no transfer');
      }
      const { terms } = await lastInfo();
      const fault = faultOfDeposit(answer, terms, order, limits);
      if (fault !== undefined) throw outage(domain, fault);
      const payee = readPayeeAddress(answer, network);
      // A sentence instead of an address: the instructions come later.
      const isSaid = hasInstructions(answer) || payee.kind === 'found';
      if (isSaid && payee.kind === 'none') throw outage(domain, payee.reason);
      return { id, payee: payee.kind === 'found' ? payee : undefined };
    },
    async awaitPayee(id, order) {
      const record = await awaitInstructions({
        domain,
        clock,
        transfer: () => transferRecord(id),
        tell: () => tell(id),
      });
      const fault = faultOfTransfer(record, order);
      if (fault !== undefined) return { kind: 'none', reason: fault };
      if (hasInstructions(record)) return readPayeeAddress(record, network);
      const reason = `the anchor gave no address of the network; its transfer is ${record.status}`;
      return { kind: 'none', reason };
    },
    async findTransfer(id) {
      const record = await transferRecord(id);
      if (wantsToKnow(record)) await customer.settle(id);
      return {
        status: record.status,
        amountIn: textOf(record.amount_in, AMOUNT),
        amountOut: textOf(record.amount_out, AMOUNT),
        externalTransaction: textOf(record.external_transaction_id, /^[\w:-]{1,128}$/),
        stellarTransaction: textOf(record.stellar_transaction_id, /^[0-9a-f]{64}$/),
        isOver: OVER.has(record.status),
      };
    },
  };
}

const AMOUNT = /^\d{1,20}(?:\.\d{1,18})?$/;

/** Somebody else's text: only what has the form is kept, and shown. */
function textOf(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}
