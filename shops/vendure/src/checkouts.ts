// From an order to its checkout, and from what the service says of that checkout to a payment.
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ConflictError, Quittance } from '@quittance/client';
import {
  ConfigService,
  isGraphQlErrorResult,
  Logger,
  type Order,
  OrderService,
  PaymentMethodService,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
  totalCoveredByPayments,
  UserInputError,
} from '@vendure/core';
import { decidePayment } from '../../common/decide-payment.ts';
import { isSameAmount } from '../../common/decimal.ts';
import { amountOfUnits } from '../../common/shop-amount.ts';
import { LOG_CONTEXT, QUITTANCE_OPTIONS, type QuittanceOptions } from './options.ts';
import { OrderCheckout } from './order-checkout.ts';

/** Code of the handler: a payment method of Vendure that uses it is what customers choose. */
export const HANDLER_CODE = 'quittance';

@Injectable()
export class Checkouts {
  readonly service: Quittance;
  /** Of payments that are being added now: a customer who calls addPaymentToOrder has none. */
  readonly #claims = new Map<string, OrderCheckout>();

  constructor(
    @Inject(QUITTANCE_OPTIONS) private readonly options: QuittanceOptions,
    @Inject(TransactionalConnection) private readonly connection: TransactionalConnection,
    @Inject(OrderService) private readonly orders: OrderService,
    @Inject(PaymentMethodService) private readonly methods: PaymentMethodService,
    @Inject(RequestContextService) private readonly contexts: RequestContextService,
    @Inject(ConfigService) private readonly config: ConfigService,
  ) {
    const { baseUrl, key, secret } = options;
    this.service = new Quittance({ baseUrl, key, secret });
  }

  /** The amount as the service charges it. */
  amountOf(units: number, currency: string): string {
    const { precision = 2 } = this.config.entityOptions.moneyStrategy;
    return amountOfUnits(units, precision, currency);
  }

  /** The same one as long as what is owed stays the same. */
  async openCheckout(ctx: RequestContext, active: Order): Promise<OrderCheckout> {
    const order = await this.orders.findOne(ctx, active.id);
    if (order?.state !== 'ArrangingPayment') {
      throw new UserInputError('The order has to be in the state ArrangingPayment.');
    }
    order.payments = await this.orders.getOrderPayments(ctx, order.id);
    const units = order.totalWithTax - totalCoveredByPayments(order);
    if (units <= 0) throw new UserInputError('Nothing is owed.');
    const repository = this.connection.getRepository(ctx, OrderCheckout);
    const earlier = await repository.find({ where: { orderId: order.id, isSettled: false } });
    const currency = order.currencyCode;
    for (const one of earlier) {
      const { state } = await this.service.checkout.get(one.checkoutId);
      if (state === 'CANCELLED') continue;
      if (one.units === units && one.currency === currency) return one;
      await this.#cancel(one);
    }
    const created = await this.#create(order, units, earlier.length);
    const { token } = ctx.channel;
    return await repository.save(new OrderCheckout({ ...created, channelToken: token }));
  }

  /**
   * Adds the payment when the service says that this checkout is paid, once, however often and from
   * wherever it is called. Whether the checkout belongs to an order of this shop.
   */
  async settle(checkoutId: string): Promise<boolean> {
    const found = await this.connection.rawConnection
      .getRepository(OrderCheckout)
      .findOne({ where: { checkoutId } });
    if (found === null) return false;
    if (found.isSettled) return true;
    const verdict = decidePayment(await this.service.checkout.get(checkoutId), found);
    if (verdict === 'foreign') this.#report(found, 'is not what was asked for');
    if (verdict !== 'paid') return true;
    const { channelToken } = found;
    const ctx = await this.contexts.create({ apiType: 'admin', channelOrToken: channelToken });
    await this.connection.withTransaction(ctx, (inside) => this.#addPayment(inside, found));
    return true;
  }

  /** For the handler: what a claim stands for, as long as the payment is being added. */
  findClaim(claim: unknown): OrderCheckout | undefined {
    return typeof claim === 'string' ? this.#claims.get(claim) : undefined;
  }

  async #addPayment(ctx: RequestContext, found: OrderCheckout): Promise<void> {
    const { affected } = await this.connection
      .getRepository(ctx, OrderCheckout)
      .update({ id: found.id, isSettled: false }, { isSettled: true });
    if (affected !== 1) return;
    const order = await this.orders.findOne(ctx, found.orderId);
    if (order === undefined) throw new Error(`There is no order ${found.orderCode}.`);
    if (order.state === 'AddingItems') {
      await this.orders.transitionToState(ctx, order.id, 'ArrangingPayment');
    }
    const claim = randomUUID();
    this.#claims.set(claim, found);
    try {
      const method = await this.#methodCode(ctx);
      const metadata = { claim };
      const result = await this.orders.addPaymentToOrder(ctx, order.id, { method, metadata });
      if (!isGraphQlErrorResult(result)) return;
      this.#report(found, `is paid, and no payment could be added: ${result.message}`);
      // Undoes the transaction: the next webhook tries again.
      throw new Error(result.message);
    } finally {
      this.#claims.delete(claim);
    }
  }

  async #create(order: Order, units: number, before: number) {
    const { settlementAsset, vendureUrl } = this.options;
    const currency = order.currencyCode;
    const total = this.amountOf(units, currency);
    const lineItems = [{ description: `Order ${order.code}`, netAmount: total }];
    const charge = { billingCurrency: currency, lineItems };
    const charged = await this.service.checkout.validateCharge(charge);
    if (!isSameAmount(charged.total, total)) {
      throw new UserInputError(`${total} ${currency} would be charged as ${charged.total}.`);
    }
    const { id, url } = await this.service.checkout.createHosted(
      {
        charge,
        ...(settlementAsset === undefined ? {} : { settlementAsset }),
        webhook: `${vendureUrl}/quittance/webhook`,
        pageSettings: { returnUrl: `${vendureUrl}/quittance/return` },
        meta: { order: order.code },
      },
      { idempotencyKey: `vendure-${order.code}-${total}-${currency}-${before}` },
    );
    return {
      orderId: order.id,
      orderCode: order.code,
      checkoutId: id,
      url,
      units,
      total,
      currency,
    };
  }

  async #cancel(one: OrderCheckout): Promise<void> {
    try {
      await this.service.checkout.cancel(one.checkoutId);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      throw new UserInputError('A payment of this order is under way.');
    }
  }

  async #methodCode(ctx: RequestContext): Promise<string> {
    const { items } = await this.methods.findAll(ctx);
    const method = items.find(({ handler }) => handler.code === HANDLER_CODE);
    if (method === undefined)
      throw new Error(`No payment method uses the handler ${HANDLER_CODE}.`);
    return method.code;
  }

  #report({ checkoutId, orderCode }: OrderCheckout, what: string): void {
    Logger.error(`Checkout ${checkoutId} of order ${orderCode} ${what}.`, LOG_CONTEXT);
  }
}
