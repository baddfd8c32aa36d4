// Every X-Error-Code there is, for the OpenAPI document and whoever writes a client. A test
// compares it with the refusals in the code.

import type { RefusalKind } from '#base/refusal.ts';
import { STATUS_OF_REFUSAL } from '#base/refusal.ts';

export type ErrorCode = {
  readonly status: number;
  readonly code: string;
  readonly meaning: string;
};

/** A refusal is its kind, which decides the status, and its code. */
export const REFUSALS: readonly (readonly [kind: RefusalKind, code: string, meaning: string])[] = [
  ['invalid', 'amount_invalid', 'The amount is no amount of this asset.'],
  ['invalid', 'amount_out_of_range', 'The amount is too small or too large to be converted.'],
  ['conflict', 'amount_not_receivable', 'The network can receive less than that right now.'],
  ['conflict', 'amount_too_small', 'The amount does not cover the costs of sending it.'],
  ['invalid', 'amount_too_small', 'The amount does not cover its fees.'],
  ['missing', 'approval_missing', 'Nothing of this name waits for a second approver.'],
  ['invalid', 'asset_not_receivable', 'This asset cannot be received on this network here.'],
  ['invalid', 'asset_required', 'The network has several assets: name one.'],
  ['invalid', 'asset_unknown', 'No asset of the network.'],
  ['invalid', 'address_invalid', 'No address of the network.'],
  ['forbidden', 'address_not_allowed', 'The client address is not on the IP allow-list.'],
  [
    'forbidden',
    'allow_list_empty',
    'Money-moving calls need an address listed for withdrawals: npx quittance allow-list add.',
  ],
  [
    'unauthenticated',
    'authentication_failed',
    'Key, signature, timestamp or signed text are wrong; one answer for all of them.',
  ],
  ['conflict', 'balance_too_low', 'The available balance does not cover the amount and its fees.'],
  [
    'conflict',
    'conversion_not_covered',
    'The conversion would exceed what the operator allows to be open, or holds.',
  ],
  ['conflict', 'beneficiary_deleted', 'The beneficiary was deleted meanwhile.'],
  ['invalid', 'beneficiary_elsewhere', 'The beneficiary has no account on this network.'],
  ['missing', 'beneficiary_missing', 'No such beneficiary of this account.'],
  ['conflict', 'invoice_expired', 'The invoice of the beneficiary can be paid no more.'],
  ['conflict', 'beneficiary_too_new', 'A new beneficiary can be paid after its cool-down.'],
  ['invalid', 'body_incomplete', 'The body ended before its announced length.'],
  ['invalid', 'body_not_allowed', 'A GET request has no body.'],
  ['invalid', 'body_timeout', 'The body took too long to arrive.'],
  ['too-large', 'body_too_large', 'The body has more than 256 KiB.'],
  ['conflict', 'answers_missing', 'Something is asked and not answered yet.'],
  ['conflict', 'answers_fixed', 'A way was chosen: answers and tip are fixed.'],
  ['conflict', 'checkout_cancelled', 'The checkout was cancelled.'],
  ['conflict', 'checkout_completed', 'The checkout is completed.'],
  ['conflict', 'checkout_has_money', 'Money has arrived: the checkout cannot be cancelled.'],
  ['missing', 'checkout_missing', 'No such checkout of this account.'],
  ['conflict', 'checkout_not_paid', 'There is nothing to give back: the checkout was not paid.'],
  ['invalid', 'content_encoding', 'Encoded (compressed) bodies are not accepted.'],
  ['invalid', 'cursor_invalid', 'The cursor is not one that a list answered.'],
  ['missing', 'customer_missing', 'No such customer of this account.'],
  ['conflict', 'checkout_not_underpaid', 'Only an underpaid checkout can be accepted as it is.'],
  ['conflict', 'delivery_pending', 'The event is being delivered already.'],
  ['missing', 'delivery_unknown', 'No such event of this account.'],
  ['missing', 'deposit_address_missing', 'No such deposit address of this account.'],
  ['invalid', 'depth_invalid', 'A reorganisation cannot be that deep.'],
  ['conflict', 'endpoint_disabled', 'The webhook endpoint is switched off.'],
  ['missing', 'event_missing', 'No such event of this account.'],
  ['conflict', 'event_without_receiver', 'There was nobody to tell this event to.'],
  ['missing', 'webhook_endpoint_missing', 'No such webhook endpoint of this account.'],
  ['conflict', 'webhook_endpoints_too_many', 'No more webhook endpoints for this account.'],
  ['conflict', 'event_too_old', 'The event is too old to be delivered again.'],
  ['unavailable', 'exchange_missing', 'Assets cannot be exchanged here in this environment.'],
  [
    'unavailable',
    'network_fee_unknown',
    'What the network takes for sending is not known now; nothing was moved: try again in a minute.',
  ],
  [
    'unavailable',
    'network_fee_high',
    'The network takes much more for sending than when the refund was made: claim it later.',
  ],
  [
    'unavailable',
    'executor_missing',
    'Money cannot be sent on this network here; nothing was moved.',
  ],
  ['invalid', 'host_missing', 'The header Host is required.'],
  [
    'invalid',
    'idempotency_key_malformed',
    'Idempotency-Key must be 1 to 255 printable ASCII characters.',
  ],
  [
    'mismatch',
    'idempotency_key_reused',
    'The Idempotency-Key was used before with another request.',
  ],
  ['conflict', 'idempotency_key_running', 'A request with this Idempotency-Key is still running.'],
  ['conflict', 'invoice_paid', 'The Lightning invoice is paid already.'],
  [
    'invalid',
    'json_malformed',
    'The body is no strict JSON: syntax, duplicate keys, depth, UTF-8.',
  ],
  ['conflict', 'label_taken', 'Another beneficiary has this label.'],
  ['conflict', 'limit_not_lower', 'A merchant lowers a limit; only the operator raises it.'],
  ['forbidden', 'method_not_accepted', 'X-Basic is not accepted on this route or with this key.'],
  ['method', 'method_not_allowed', 'The path exists with another method (header Allow).'],
  ['unavailable', 'network_missing', 'The network is not connected here.'],
  [
    'unavailable',
    'networks_not_configured',
    'No network of this environment is connected: the answer names the settings.',
  ],
  ['invalid', 'network_unknown', 'No network of GET /networks.'],
  ['invalid', 'network_without_addresses', 'This network has no reusable addresses.'],
  ['conflict', 'no_payment_method', 'Nothing can be offered for this charge right now.'],
  ['conflict', 'refund_changed', 'What would be refunded changed since it was looked at.'],
  ['conflict', 'quote_of_another', 'A person asked for this quote, who alone can order it.'],
  ['conflict', 'nothing_to_refund', 'All of it was given back already.'],
  ['invalid', 'payment_invalid', 'This payment cannot be made on the simulated network.'],
  ['invalid', 'payment_method_unknown', 'Not among the payment methods of this checkout.'],
  ['conflict', 'payment_uncertain', 'The payment is not final yet.'],
  ['too-many', 'rate_limited', 'Too many calls in a minute with this key or from this address.'],
  [
    'unavailable',
    'payee_pending',
    'An anchor has not said yet where to pay: ask again, the same transfer goes on.',
  ],
  [
    'unavailable',
    'prices_not_configured',
    'No source of prices is set, which every payment method for this charge needs.',
  ],
  ['unavailable', 'rate_missing', 'There is no fresh price of one of the assets.'],
  ['conflict', 'refund_claimed', 'The refund was claimed already.'],
  ['conflict', 'payment_taken_back', 'The network took back the payment that was to be refunded.'],
  ['conflict', 'refund_exceeds_payment', 'More than was received and not given back yet.'],
  ['missing', 'refund_missing', 'No such refund of this account.'],
  [
    'conflict',
    'refund_only_full',
    'What arrived for an underpaid checkout is given back as a whole.',
  ],
  ['missing', 'request_missing', 'No such request in the log of this account.'],
  ['missing', 'route_missing', 'There is no such path.'],
  ['forbidden', 'scope_missing', 'The key lacks the scope of this route.'],
  ['missing', 'settlement_rule_missing', 'No such settlement rule of this account.'],
  [
    'conflict',
    'second_person',
    'Above the limit of one person, and whoever made it cannot approve it.',
  ],
  ['too-many', 'signature_repeated', 'One signature was used more than 20 times.'],
  ['conflict', 'signature_used', 'A money-moving request is signed anew each time.'],
  [
    'conflict',
    'spending_limit',
    'The amount is above what may be sent out in 24 hours: what is left, and when it fits.',
  ],
  ['conflict', 'swap_expired', 'The quote is older than 60 seconds.'],
  ['missing', 'swap_missing', 'No such swap of this account.'],
  [
    'invalid',
    'target_malformed',
    'Host and request target must be well formed, once and without a scheme.',
  ],
  ['unavailable', 'sandbox_off', 'The simulated networks are switched off here.'],
  ['forbidden', 'test_key_required', 'The sandbox takes test keys only.'],
  ['conflict', 'transaction_not_replaceable', 'The transaction cannot be replaced any more.'],
  [
    'conflict',
    'transfer_signed',
    'It is signed or on its way already, so that it can still arrive: wait until it is decided.',
  ],
  [
    'conflict',
    'transfer_changed',
    'The transfer was changed in the database: it is neither sent nor given back.',
  ],
  ['conflict', 'transfer_expired', 'The quote of the transfer has expired.'],
  ['conflict', 'transfer_not_to_send', 'The transfer does not wait to be sent by a person.'],
  ['conflict', 'transfer_shown', 'Somebody was told how to send it: only the operator cancels it.'],
  ['missing', 'transfer_missing', 'No such transfer of this account.'],
  ['invalid', 'version_unknown', 'Quittance-Version names no version: the known ones are listed.'],
  ['invalid', 'validation_failed', 'One entry for each fault, with its JSON path.'],
];

/** Not made by refusals: below the level of requests, or nobody's fault who asks. */
const OTHER_CODES: readonly ErrorCode[] = [
  { status: 400, code: 'http_malformed', meaning: 'Not well-formed HTTP.' },
  { status: 408, code: 'request_timeout', meaning: 'The request took too long.' },
  { status: 431, code: 'headers_too_large', meaning: 'The headers have more than 16 KiB.' },
  { status: 500, code: 'internal', meaning: 'Our fault; recorded under the X-Request-Id.' },
  { status: 503, code: 'unavailable', meaning: 'Something this depends on is down.' },
];

export function listErrorCodes(): ErrorCode[] {
  const refusals = REFUSALS.map(([kind, code, meaning]) => ({
    status: STATUS_OF_REFUSAL[kind],
    code,
    meaning,
  }));
  return [...refusals, ...OTHER_CODES].sort(
    (one, other) => one.status - other.status || (one.code < other.code ? -1 : 1),
  );
}
