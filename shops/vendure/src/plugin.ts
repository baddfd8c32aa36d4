import { PluginCommonModule, type Type, VendurePlugin } from '@vendure/core';
import { Checkouts } from './checkouts.ts';
import { QuittanceController } from './controller.ts';
import { checkOptions, QUITTANCE_OPTIONS, type QuittanceOptions } from './options.ts';
import { OrderCheckout } from './order-checkout.ts';
import { paymentHandler } from './payment-handler.ts';
import { rawBody } from './raw-body.ts';
import { Refunds } from './refunds.ts';
import { CheckoutResolver, SHOP_SCHEMA } from './resolver.ts';

/** A refund is Pending when it is made, and stays so until the service says how it ended. */
const staysPending = { transitions: { Pending: { to: ['Pending'] } } };

@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.7.0',
  entities: [OrderCheckout],
  controllers: [QuittanceController],
  providers: [
    Checkouts,
    Refunds,
    { provide: QUITTANCE_OPTIONS, useFactory: () => QuittancePlugin.options },
  ],
  shopApiExtensions: { schema: SHOP_SCHEMA, resolvers: [CheckoutResolver] },
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(paymentHandler);
    const processes = config.paymentOptions.refundProcess ?? [];
    config.paymentOptions.refundProcess = [...processes, staysPending];
    const route = '/quittance/webhook';
    config.apiOptions.middleware.push({ route, handler: rawBody, beforeListen: true });
    return config;
  },
})
// biome-ignore lint/complexity/noStaticOnlyClass: a plugin of Vendure is a class.
export class QuittancePlugin {
  static options: QuittanceOptions;

  /** What stands under `plugins` of the configuration of Vendure. */
  static init(options: QuittanceOptions): Type<QuittancePlugin> {
    checkOptions(options);
    QuittancePlugin.options = options;
    return QuittancePlugin;
  }
}
