export type { QuittanceOptions } from './options.ts';
export { OrderCheckout } from './order-checkout.ts';
export { paymentHandler } from './payment-handler.ts';
export { QuittancePlugin } from './plugin.ts';
