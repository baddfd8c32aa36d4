// @quittance/client/x402: routes that agents pay for by HTTP 402.
export { paidExpress, paidFetch, paidHono } from './adapters.ts';
export {
  type Admission,
  type AskedRequest,
  type Price,
  type Refused,
  X402,
  type X402Options,
  type X402Payment,
} from './gate.ts';
export type { Accepts, PaymentRequired, Resource, SettleResponse } from './messages.ts';
