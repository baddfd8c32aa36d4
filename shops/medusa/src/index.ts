import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { QuittancePaymentProvider } from './payment-provider.ts';

export type { QuittanceOptions } from './options.ts';
export { QuittancePaymentProvider } from './payment-provider.ts';

export default ModuleProvider(Modules.PAYMENT, { services: [QuittancePaymentProvider] });
