import { Inject, Injectable } from '@nestjs/common';
import {
  isGraphQlErrorResult,
  Logger,
  OrderService,
  Refund,
  RequestContextService,
  TransactionalConnection,
} from '@vendure/core';
import { Checkouts } from './checkouts.ts';
import { LOG_CONTEXT } from './options.ts';
import { OrderCheckout } from './order-checkout.ts';

const ENDS: Readonly<Record<string, 'Settled' | 'Failed'>> = {
  COMPLETED: 'Settled',
  FAILED: 'Failed',
};

/** Refunds of Vendure end as those of the service do. */
@Injectable()
export class Refunds {
  constructor(
    @Inject(Checkouts) private readonly checkouts: Checkouts,
    @Inject(TransactionalConnection) private readonly connection: TransactionalConnection,
    @Inject(OrderService) private readonly orders: OrderService,
    @Inject(RequestContextService) private readonly contexts: RequestContextService,
  ) {}

  async settle(refundId: string): Promise<void> {
    const asked = await this.checkouts.service.refunds.get(refundId);
    const end = ENDS[asked.state];
    const of = await this.connection.rawConnection
      .getRepository(OrderCheckout)
      .findOne({ where: { checkoutId: asked.checkoutId } });
    if (end === undefined || of === null) return;
    const { channelToken } = of;
    const ctx = await this.contexts.create({ apiType: 'admin', channelOrToken: channelToken });
    await this.connection.withTransaction(ctx, async (inside) => {
      const repository = this.connection.getRepository(inside, Refund);
      const refund = await repository.findOne({ where: { transactionId: refundId } });
      if (refund === null || refund.state !== 'Pending') return;
      const result = await this.orders.transitionRefundToState(inside, refund.id, end, refundId);
      if (isGraphQlErrorResult(result)) {
        Logger.error(`Refund ${refundId}: ${result.transitionError}`, LOG_CONTEXT);
      }
    });
  }
}
