// Payments of Medusa over hosted checkouts. A session is captured when the checkout that was
// created for it is COMPLETED: the service is asked each time, and what a webhook says is only a
// hint.
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, BigNumber, MathBN, MedusaError } from '@medusajs/framework/utils';
import { ConflictError, Quittance, webhooks } from '@quittance/client';
import { decidePayment, type PaymentVerdict } from '../../common/decide-payment.ts';
import { decideRefund } from '../../common/decide-refund.ts';
import { isSameAmount } from '../../common/decimal.ts';
import { amountOfText } from '../../common/shop-amount.ts';
import { checkOptions, type QuittanceOptions } from './options.ts';
import { readSessionData, type SessionData } from './session-data.ts';

const STATUSES: Readonly<Record<PaymentVerdict, PaymentSessionStatus>> = {
  paid: 'captured',
  seen: 'pending',
  open: 'pending',
  ended: 'canceled',
  foreign: 'error',
};

export class QuittancePaymentProvider extends AbstractPaymentProvider<QuittanceOptions> {
  static override identifier = 'quittance';
  readonly #options: QuittanceOptions;
  readonly #service: Quittance;
  readonly #logger: Logger;

  static override validateOptions(options: Record<string, unknown>): void {
    checkOptions(options);
  }

  constructor(container: { logger: Logger }, options: QuittanceOptions) {
    super(container, options);
    this.#options = options;
    this.#logger = container.logger;
    const { baseUrl, key, secret } = options;
    this.#service = new Quittance({ baseUrl, key, secret });
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const session = input.data?.session_id;
    if (typeof session !== 'string') throw refused('A payment session has to have an id.');
    const data = await this.#createCheckout(session, input.amount, input.currency_code);
    return { id: data.checkoutId, status: 'pending', data: { ...data } };
  }

  /** Another amount is another checkout; the one before is cancelled. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const data = readSessionData(input.data);
    const total = exactAmount(input.amount, input.currency_code);
    const isSame = data.currency === input.currency_code.toUpperCase();
    if (isSame && isSameAmount(total, data.total)) return { data: { ...data } };
    await this.#cancel(data);
    const fresh = await this.#createCheckout(data.session_id, input.amount, input.currency_code);
    return { status: 'pending', data: { ...fresh } };
  }

  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const data = readSessionData(input.data);
    return { status: STATUSES[await this.#look(data)], data: { ...data } };
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const data = readSessionData(input.data);
    return { status: STATUSES[await this.#look(data)], data: { ...data } };
  }

  /** What is paid is credited already: this says whether it is. */
  async capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const data = readSessionData(input.data);
    const verdict = await this.#look(data);
    if (verdict !== 'paid') throw refused(`Checkout ${data.checkoutId} is not paid.`);
    return { data: { ...data } };
  }

  /** The payer says where to: the link for him is in `refunds` of the data of the payment. */
  async refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const data = readSessionData(input.data);
    const checkout = await this.#service.checkout.get(data.checkoutId);
    const decision = decideRefund(checkout, exactAmount(input.amount, data.currency));
    if ('refusal' in decision) throw refused(`The refund is refused: ${decision.refusal}.`);
    const idempotencyKey = `medusa-refund-${input.context?.idempotency_key ?? data.session_id}`;
    const refund = await this.#service.refunds
      .create(decision.request, { idempotencyKey })
      .catch(refuseConflict);
    const made = {
      id: refund.id,
      state: refund.state,
      amount: refund.amount,
      assetCode: refund.amountAssetCode,
      claimUrl: refund.claimUrl ?? null,
    };
    return { data: { ...data, refunds: [...(data.refunds ?? []), made] } };
  }

  async retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const data = readSessionData(input.data);
    const checkout = await this.#service.checkout.get(data.checkoutId);
    return { data: { ...data, checkout } };
  }

  async cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const data = readSessionData(input.data);
    await this.#cancel(data);
    return { data: { ...data } };
  }

  /** Of a cart that changes, or of a customer who chooses to pay otherwise. */
  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    if (input.data?.checkoutId === undefined) return { data: {} };
    return await this.cancelPayment(input);
  }

  async getWebhookActionAndData(
    payload: ProviderWebhookPayload['payload'],
  ): Promise<WebhookActionResult> {
    const { webhookSecret } = this.#options;
    const headers = payload.headers as Record<string, string | string[] | undefined>;
    const event = await webhooks.verify(payload.rawData, headers, webhookSecret);
    if (!('checkout' in event.data)) return { action: 'not_supported' };
    const checkout = await this.#service.checkout.get(event.data.checkout.id);
    if (event.eventType === 'CHECKOUT_REVERSED') {
      this.#logger.warn(`Checkout ${checkout.id} was paid, and the network took it back.`);
    }
    const session = checkout.meta?.session_id;
    if (typeof session !== 'string') return { action: 'not_supported' };
    const action = checkout.state === 'COMPLETED' ? 'captured' : 'pending';
    return { action, data: { session_id: session, amount: new BigNumber(checkout.total) } };
  }

  async #createCheckout(
    session: string,
    amount: BigNumberInput,
    currencyCode: string,
  ): Promise<SessionData> {
    const { description = 'Your order', settlementAsset, webhookUrl } = this.#options;
    const currency = currencyCode.toUpperCase();
    const total = exactAmount(amount, currency);
    const charge = {
      billingCurrency: currency,
      lineItems: [{ description, netAmount: total, quantity: 1 }],
    };
    const totals = await this.#service.checkout.validateCharge(charge);
    if (!isSameAmount(totals.total, total)) {
      throw refused(`${total} ${currency} would be charged as ${totals.total} ${currency}.`);
    }
    const { id, url } = await this.#service.checkout.createHosted(
      {
        charge,
        ...(settlementAsset === undefined ? {} : { settlementAsset }),
        webhook: webhookUrl,
        pageSettings: this.#pagesOf(session),
        meta: { session_id: session },
      },
      { idempotencyKey: `medusa-${session}-${total}-${currency}` },
    );
    return { session_id: session, checkoutId: id, url, total, currency };
  }

  #pagesOf(session: string) {
    const fill = (url: string) => url.replaceAll('{session_id}', encodeURIComponent(session));
    const { returnUrl, cancelUrl } = this.#options;
    return {
      returnUrl: fill(returnUrl),
      ...(cancelUrl === undefined ? {} : { cancelUrl: fill(cancelUrl) }),
    };
  }

  async #look(data: SessionData): Promise<PaymentVerdict> {
    const verdict = decidePayment(await this.#service.checkout.get(data.checkoutId), data);
    if (verdict === 'foreign') {
      this.#logger.error(`Checkout ${data.checkoutId} is not that of ${data.session_id}.`);
    }
    return verdict;
  }

  /** @throws MedusaError when money was seen: whoever paid has to be served or refunded. */
  async #cancel(data: SessionData): Promise<void> {
    try {
      await this.#service.checkout.cancel(data.checkoutId);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const { state } = await this.#service.checkout.get(data.checkoutId);
      if (state === 'CANCELLED') return;
      throw refused(`Checkout ${data.checkoutId} is ${state} and cannot be cancelled.`);
    }
  }
}

function refused(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, message);
}

/** More than is left, for one: Medusa itself lets a refund exceed what was captured by a cent. */
function refuseConflict(error: unknown): never {
  throw error instanceof ConflictError ? refused(error.message) : error;
}

/** Medusa keeps amounts as big decimals of whole coins. */
function exactAmount(amount: BigNumberInput, currency: string): string {
  return amountOfText(MathBN.convert(amount).toFixed(), currency.toUpperCase());
}
