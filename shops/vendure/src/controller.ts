import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { WebhookVerificationError, webhooks } from '@quittance/client';
import { Logger, TransactionalConnection } from '@vendure/core';
import type { Request, Response } from 'express';
import { Checkouts } from './checkouts.ts';
import { LOG_CONTEXT, QUITTANCE_OPTIONS, type QuittanceOptions } from './options.ts';
import { OrderCheckout } from './order-checkout.ts';
import { Refunds } from './refunds.ts';

@Controller('quittance')
export class QuittanceController {
  constructor(
    @Inject(QUITTANCE_OPTIONS) private readonly options: QuittanceOptions,
    @Inject(Checkouts) private readonly checkouts: Checkouts,
    @Inject(Refunds) private readonly refunds: Refunds,
    @Inject(TransactionalConnection) private readonly connection: TransactionalConnection,
  ) {}

  /** 204: taken, also where it is about nothing of ours; 400: not signed by the service. */
  @Post('webhook')
  async webhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    try {
      const { webhookSecret } = this.options;
      const body = request.body as Buffer;
      const event = await webhooks.verify(body, request.headers, webhookSecret);
      if ('checkout' in event.data) await this.checkouts.settle(event.data.checkout.id);
      if ('refund' in event.data) await this.refunds.settle(event.data.refund.id);
      response.sendStatus(204);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      response.status(400).send(error.code);
    }
  }

  /** Where the customer comes back to: it asks the service, and sends him to the storefront. */
  @Get('return')
  async comeBack(@Query('checkoutId') checkoutId: unknown, @Res() response: Response) {
    const id = typeof checkoutId === 'string' ? checkoutId : '';
    const found = await this.connection.rawConnection
      .getRepository(OrderCheckout)
      .findOne({ where: { checkoutId: id } });
    if (found === null) {
      response.status(404).send('There is no such order.');
      return;
    }
    // The customer gets to his order in any case; the webhook comes again.
    await this.checkouts.settle(id).catch((error) => Logger.error(String(error), LOG_CONTEXT));
    const code = encodeURIComponent(found.orderCode);
    response.redirect(303, this.options.storefrontUrl.replaceAll('{order_code}', code));
  }
}
