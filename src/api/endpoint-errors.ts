// Which error codes an endpoint can give: those of its kind, and its own, by its operationId. Whole
// answers of tests and of the fuzzer are held against it.
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { type ErrorCode, listErrorCodes } from './error-codes.ts';

/** Before an operation is known: of paths, methods and framing. */
const OF_ANY_ADDRESS = [
  ...['http_malformed', 'host_missing', 'target_malformed', 'route_missing'],
  ...['method_not_allowed', 'request_timeout', 'headers_too_large', 'version_unknown'],
  ...['body_incomplete', 'body_timeout', 'content_encoding'],
];

const OF_ALL = ['rate_limited', 'internal', 'unavailable'];

const MAKE_CHECKOUT = [
  ...['networks_not_configured', 'prices_not_configured', 'no_payment_method', 'rate_missing'],
  ...['customer_missing', 'amount_not_receivable', 'exchange_missing', 'amount_out_of_range'],
];
const COMMIT_CHECKOUT = [
  ...['checkout_missing', 'checkout_cancelled', 'checkout_completed', 'payment_method_unknown'],
  ...['asset_required', 'amount_not_receivable', 'payee_pending', 'rate_missing'],
  ...['prices_not_configured', 'network_missing', 'conversion_not_covered', 'exchange_missing'],
  ...['amount_out_of_range', 'no_payment_method'],
  ...['answers_missing', 'answers_fixed'],
];
const SEND = ['executor_missing', 'network_fee_unknown'];
/** What leaves is held against the limits of the account and against its balance. */
const SPEND = ['spending_limit', 'rate_missing', 'balance_too_low'];
const SANDBOX = ['test_key_required', 'sandbox_off'];
const UNSEND = ['transfer_not_to_send', 'transfer_shown', 'transfer_signed', 'transfer_changed'];

/** With a status before it where the code has several and only this one can be. */
const OWN: { readonly [operationId: string]: readonly string[] } = {
  getExchangeRate: ['rate_missing', 'prices_not_configured', 'amount_out_of_range'],
  createCheckout: MAKE_CHECKOUT,
  createHostedCheckout: MAKE_CHECKOUT,
  commitCheckout: COMMIT_CHECKOUT,
  getCheckout: ['checkout_missing'],
  cancelCheckout: [
    ...['checkout_missing', 'checkout_has_money', 'checkout_completed', 'payment_uncertain'],
  ],
  acceptUnderpaidCheckout: ['checkout_missing', 'checkout_not_underpaid', 'payment_uncertain'],
  createDepositAddress: [
    ...['network_unknown', 'network_missing', 'network_without_addresses', 'asset_not_receivable'],
    'payee_pending',
  ],
  getDepositAddress: ['deposit_address_missing'],
  getEvent: ['event_missing'],
  followEvents: ['event_missing'],
  getRequest: ['request_missing'],
  redeliverEvent: [
    ...['event_missing', 'delivery_pending', 'event_too_old', 'event_without_receiver'],
    ...['endpoint_disabled', 'delivery_unknown'],
  ],
  createWebhookEndpoint: ['webhook_endpoints_too_many'],
  rotateWebhookEndpointSecret: ['webhook_endpoint_missing', 'endpoint_disabled'],
  updateWebhookEndpoint: ['webhook_endpoint_missing', 'endpoint_disabled'],
  deleteWebhookEndpoint: ['webhook_endpoint_missing'],
  listSpendingLimits: ['rate_missing'],
  lowerSpendingLimit: ['limit_not_lower'],
  createApproval: ['approval_missing', 'second_person'],
  updateCustomer: ['customer_missing'],
  deleteCustomer: ['customer_missing'],
  getCustomer: ['customer_missing'],
  createSwap: [
    ...['exchange_missing', 'conversion_not_covered', '400 amount_too_small', 'rate_missing'],
    'prices_not_configured',
  ],
  commitSwap: [
    ...['swap_missing', 'swap_expired', 'balance_too_low', 'conversion_not_covered'],
    ...['second_person', 'spending_limit', 'exchange_missing'],
  ],
  getSwap: ['swap_missing'],
  createBeneficiary: ['label_taken'],
  deleteBeneficiary: ['beneficiary_missing'],
  getBeneficiary: ['beneficiary_missing'],
  createTransfer: [
    ...['amount_invalid', '400 amount_too_small', 'asset_unknown'],
    ...SEND,
    ...['beneficiary_missing', 'beneficiary_elsewhere', 'beneficiary_too_new', 'invoice_expired'],
  ],
  commitTransfer: [
    ...['transfer_missing', 'transfer_expired', 'beneficiary_deleted', 'quote_of_another'],
    ...['executor_missing', ...SPEND],
  ],
  cancelTransfer: ['transfer_missing', ...UNSEND],
  getTransfer: ['transfer_missing'],
  createSettlementRule: ['beneficiary_missing', 'beneficiary_elsewhere'],
  pauseSettlementRule: ['settlement_rule_missing'],
  resumeSettlementRule: ['settlement_rule_missing'],
  deleteSettlementRule: ['settlement_rule_missing'],
  getSettlementRule: ['settlement_rule_missing'],
  createRefund: [
    ...[...SEND, ...SPEND],
    ...['checkout_missing', 'checkout_not_paid', 'nothing_to_refund', 'payment_uncertain'],
    ...['refund_exceeds_payment', 'refund_only_full', 'address_invalid'],
    ...['amount_invalid', '409 amount_too_small'],
  ],
  cancelRefund: ['refund_missing', ...UNSEND],
  getRefund: ['refund_missing'],
  getLedgerReport: ['asset_required'],
  sandboxPay: [
    ...SANDBOX,
    ...['checkout_missing', 'deposit_address_missing', 'payment_method_unknown', 'asset_unknown'],
    ...['amount_invalid', 'payment_invalid', 'invoice_paid', 'network_unknown', 'asset_required'],
    ...COMMIT_CHECKOUT,
  ],
  sandboxMine: [...SANDBOX, 'network_unknown'],
  sandboxReplace: [...SANDBOX, 'checkout_missing', 'transaction_not_replaceable'],
  sandboxReorg: [...SANDBOX, 'depth_invalid', 'network_unknown', 'transaction_not_replaceable'],
  sandboxAdvance: SANDBOX,
  sandboxExpire: [...SANDBOX, 'checkout_missing', 'checkout_completed', 'checkout_cancelled'],
  sandboxFreeze: [...SANDBOX, 'network_unknown'],
};

/** In order of status. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const can = new Set([...OF_ALL, ...ofKind(endpoint), ...(OWN[endpoint.operationId] ?? [])]);
  return listErrorCodes().filter(
    ({ status, code }) =>
      (can.has(code) || can.has(`${status} ${code}`)) && !OF_ANY_ADDRESS.includes(code),
  );
}

function ofKind({ method, auth, scope, request, response }: Endpoint): string[] {
  const isRead = method === 'GET';
  return [
    ...(isRead ? ['body_not_allowed', 'validation_failed'] : ['json_malformed', 'body_too_large']),
    ...(request === undefined ? [] : ['validation_failed']),
    ...(isRead && hasPages(response) ? ['cursor_invalid'] : []),
    ...(auth === 'public' ? [] : ['authentication_failed', 'address_not_allowed']),
    ...(auth === 'public' ? [] : ['method_not_accepted']),
    ...(scope === 'any' ? [] : ['scope_missing']),
    ...(auth === 'create' ? ['signature_repeated'] : []),
    ...(auth === 'money' ? ['allow_list_empty', 'signature_used'] : []),
    ...(method === 'POST'
      ? ['idempotency_key_malformed', 'idempotency_key_reused', 'idempotency_key_running']
      : []),
  ];
}

/** Whether it answers a page of a list. */
export function hasPages(response: z.ZodType): boolean {
  return response instanceof z.ZodObject && 'nextCursor' in response.shape;
}
