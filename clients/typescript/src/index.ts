// What the package exports.
import { verify } from './webhooks.ts';

export { CheckoutResource, type WaitOptions } from './checkout.ts';
export { Quittance } from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  QuittanceError,
  RateLimitError,
  RequestTimeoutError,
  ServerError,
  WaitTimeoutError,
  type WebhookFault,
  WebhookVerificationError,
} from './errors.ts';
export type * from './generated/types.ts';
export type { CallOptions, ClientOptions, Clock, Transport } from './options.ts';
export { type Page, Pages } from './pages.ts';
export type { ReportDocument, ReportName } from './reports.ts';
export type { PayAndConfirm } from './sandbox.ts';
export { basicValue, type SignedRequest, signRequest } from './sign.ts';
export { SIMULATED_PAYERS, type SimulatedPayer, simulatedPayer } from './simulated-payer.ts';
export { API_VERSION, VERSION } from './version.ts';
export type { VerifyOptions, WebhookHeaders } from './webhooks.ts';

/** Checks what came as a webhook; needs no client. */
export const webhooks = { verify };
