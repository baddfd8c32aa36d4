// Every column of the database that holds a text somebody else wrote, with what shows that it stays a
// text; and all other columns of texts, which hold our own words, numbers and hashes. A column that
// is in neither list fails a test, so that whoever adds one says which it is.

const ROOMS = 'test/browser/hostile-rooms.test.ts';
const PAGES = 'test/browser/hostile-stored.test.ts';
const HOSTILE = 'test/browser/hostile.test.ts';
const MAIL = 'src/mail/letter.test.ts';
const REQUESTS = 'test/scenarios/dashboard-requests.test.ts';
const REFUNDS = 'src/pages/refund/refund-page.test.ts';
/** Told by commands or the API alone. */
export const NOT_DRAWN = 'drawn on no page';

/** The column, and the test in which it is hostile; or the one that it is a copy of or drawn like. */
export const WRITTEN: Readonly<Record<string, string>> = {
  // People and shops.
  'person.name': ROOMS,
  'person.email': MAIL,
  'invitation.name': ROOMS,
  'invitation.email': MAIL,
  'passkey.label': ROOMS,
  'staff_session.agent': ROOMS,
  'staff_session.kept_form': 'src/pages/dashboard/fill-form.test.ts',
  'merchant.name': ROOMS,
  'merchant.shop_name': PAGES,
  'merchant.seller_info': PAGES,
  'merchant_page.contact': HOSTILE,
  'merchant_mail_words.opening': ROOMS,
  'merchant_mail_words.closing': ROOMS,
  'merchant_page_words.words': 'test/scenarios/page-words.test.ts',
  'merchant_page.embed_origins': 'src/pages/embed-origins.test.ts',
  // What people of a shop keep beside a sale.
  'checkout_note.note': 'test/scenarios/checkout-notes.test.ts',
  'saved_view.name': 'test/scenarios/saved-views.test.ts',
  'saved_view.asked': 'test/scenarios/saved-views.test.ts',
  // What nodes and channels answered.
  'alert.detail': NOT_DRAWN,
  'last_look.detail': 'test/scenarios/dashboard-operator.test.ts',
  'alert_message.detail': NOT_DRAWN,
  'alert_message.last_answer': NOT_DRAWN,
  'noted_trouble.detail': NOT_DRAWN,
  // What is sold, and to whom.
  'checkout.payload': PAGES,
  'checkout.meta': ROOMS,
  'checkout.return_url': HOSTILE,
  'checkout.cancel_url': HOSTILE,
  'checkout.webhook_url': HOSTILE,
  'checkout.origin_url': NOT_DRAWN,
  'counter_item.name': ROOMS,
  'payment_link.title': ROOMS,
  'payment_link.description': ROOMS,
  'customer.email': MAIL,
  'customer.firstname': ROOMS,
  'customer.lastname': ROOMS,
  'customer.company': ROOMS,
  'customer.adr1': ROOMS,
  'customer.adr2': ROOMS,
  'customer.zip': ROOMS,
  'customer.city': ROOMS,
  'customer.phonenumber': ROOMS,
  'customer.taxid': ROOMS,
  'customer.note': ROOMS,
  'customer.meta': ROOMS,
  'bill.payload': ROOMS,
  'bill.buyer': ROOMS,
  'bill.seller': ROOMS,
  'bill.note': ROOMS,
  'bill.tax_reason': ROOMS,
  'bill_sender.party': ROOMS,
  'bill_paid_again.seen_to_reason': 'test/scenarios/invoices.test.ts',
  // Programs.
  'api_key.label': ROOMS,
  'api_request.path': REQUESTS,
  'api_request.query': REQUESTS,
  'api_request.request_headers': REQUESTS,
  'api_request.request_body': REQUESTS,
  'api_request.answer_headers': REQUESTS,
  'api_request.answer_body': REQUESTS,
  'webhook_endpoint.url': ROOMS,
  'webhook_delivery.url': ROOMS,
  'webhook_attempt.answer_excerpt': ROOMS,
  'webhook_attempt.error': ROOMS,
  'deposit_address.label': NOT_DRAWN,
  'deposit_address.meta': NOT_DRAWN,
  'deposit_address.webhook_url': NOT_DRAWN,
  'event.body': ROOMS,
  // Money.
  'beneficiary.label': ROOMS,
  'beneficiary.account': ROOMS,
  'transfer.account': 'as beneficiary.account',
  'transfer.failure': 'as webhook_attempt.error',
  'refund.address': REFUNDS,
  // What nodes, banks, mail servers and exchanges say.
  'bank_entry.remark': NOT_DRAWN,
  'bank_entry.details': NOT_DRAWN,
  'bank_entry.reference': NOT_DRAWN,
  'receipt_remark.remark': NOT_DRAWN,
  'mail.last_answer': 'test/scenarios/dashboard-operator.test.ts',
  'mail.reason': 'as mail.last_answer',
  'unwritten_mail.reason': 'as mail.last_answer',
  'mail_stop.detail': 'src/mail/mail-stop.test.ts',
  'chain_cursor.brake': 'test/scenarios/dashboard-operator.test.ts',
  'chain_cursor.fault': 'as chain_cursor.brake',
  'chain_cursor.brake_causes': 'test/scenarios/brake-release.test.ts',
  'released_payment.causes': 'as chain_cursor.brake_causes',
  // What shops ask of payers, and what they answer.
  'checkout.asking': 'test/scenarios/asked-of-payers.test.ts',
  'checkout.answers': 'test/scenarios/asked-of-payers.test.ts',
  'merchant.asking': 'as checkout.asking',
  'payment_link.asking': 'as checkout.asking',
  'checkout.parked_reason': 'test/scenarios/dashboard-operator.test.ts',
};

/** What whoever runs the installation says, at the command line or in rooms of his own. */
export const BY_OPERATORS: readonly string[] = [
  'address_left_out.reason',
  'conversion_policy.reason',
  'departure_part.reason',
  'hedge_fill.undone_reason',
  'hedge_order.reason',
  'hedge_order.cancel_reason',
  'holding_target.reason',
  'liquidity_policy.reason',
  'provider_move.reason',
  'provider_move.reference',
  'provider_trade.reason',
  'sending_act.reason',
  'spending_limit.reason',
  'suspense_act.reason',
];

/** Of each table, columns with words of ours: ids, states, hashes, amounts, addresses that were checked. */
export const OURS: Readonly<Record<string, string>> = {
  act: 'actor details environment merchant_id subject verb',
  alert: 'kind subject',
  last_look: 'kind subject',
  bill_paid_again: 'bill_id checkout_id environment merchant_id paid_by seen_to_by',
  checkout_note: 'actor checkout_id environment id merchant_id',
  saved_view: 'environment id merchant_id person_id',
  alert_message: 'channel id kind stage state subject title',
  noted_trouble: 'kind',
  address_left_out: 'chain destination',
  address_source: 'chain descriptor',
  anchor_deposit:
    'amount_in amount_out anchor_transaction chain domain external_transaction ' +
    'instruction_id status stellar_transaction',
  api_key: 'api_version environment key merchant_id older_version scopes',
  api_key_secret: 'key',
  api_request: 'address api_key environment error_code id merchant_id method scope',
  api_request_missed: 'environment merchant_id',
  approval: 'about approver environment maker merchant_id subject',
  attempt: 'chain kind question signed_transaction spends terms transaction transfer_ids',
  bank_entry:
    'account chain credit_key currency end_to_end_id entry_key entry_reference fingerprint ' +
    'hash kind parent_hash receiver transaction transfer_id',
  bank_file: 'asset_id chain drafted_by message_id released_by',
  bank_file_transfer: 'message_id report_id said transfer_id verdict',
  bank_log: 'chain hash',
  bank_statement: 'account chain closing_on currency kind statement_id',
  beneficiary: 'environment id merchant_id network',
  bill:
    'accent billing_currency cancels delivered_on due_on environment id issued_on kind language ' +
    'logo_hash merchant_id name prefix state tax_category',
  bill_checkout: 'bill_id checkout_id',
  bill_logo: 'hash',
  bill_mail: 'bill_id kind tell_on',
  bill_range: 'environment merchant_id prefix',
  bill_sender: 'merchant_id',
  chain_block: 'chain hash parent_hash',
  chain_cursor: 'chain hash identity',
  chain_holding: 'asset_id chain',
  checkout:
    'api_key billing_currency customer_id environment flags id language merchant_id offers ' +
    'origin page_language page_origin payment_link_id sandbox_steps settlement_asset ' +
    'source_asset_id source_network state type',
  checkout_state_change: 'checkout_id state',
  commitment: 'asset_id checkout_id instruction_id network rates settlement_asset_id',
  conversion_policy: 'actor environment from_asset_id mode provider to_asset_id',
  counter_item: 'currency environment id merchant_id',
  customer: 'countrycode environment id merchant_id merged_into',
  demo_shop: 'key visitor',
  departure: 'block_hash chain fee_asset_id spends status transaction',
  departure_part:
    'asset_id chain claimable_id credit_key decided_by destination got_asset_id order_id ' +
    'purpose transfer_id',
  deposit_address:
    'api_key asset_id environment id instruction_id merchant_id network parked_reason',
  deposit_credit: 'account asset_id deposit_address_id',
  deposit_instruction:
    'address asset_id chain destination id memo memo_type merchant_id purpose purpose_id',
  destination_request: 'asset_id checkout_id instruction_id network',
  event: 'api_key cause_key environment id merchant_id subject subject_id trace_parent type',
  event_digest: 'event_id',
  evm_balance: 'address asset_id chain',
  evm_first_look: 'chain descriptor',
  form_order: 'actor made token',
  hedge_fill: 'actor fee_asset_id fill_id order_id undone_by',
  hedge_order:
    'actor cancelled_by cause_key client_order_id environment get_asset_id give_asset_id ' +
    'id ordered_by provider state',
  hedge_trade: 'limit_price order_id state told',
  holding_target: 'actor asset_id environment network',
  idempotency_key: 'environment key merchant_id',
  installation: 'id proxy_seen_from public_url',
  invitation: 'invited_by merchant_id role',
  invoice_payment: 'chain description invoice payment_hash preimage transfer_id',
  ledger_account: 'asset_id code environment merchant_id owner',
  ledger_balance: 'asset_id code environment merchant_id owner',
  ledger_entry: 'cause_key environment evidence kind merchant_id subject_id',
  ledger_posting: 'asset_id environment merchant_id owner',
  lease: 'holder name',
  liquidity_policy: 'actor asset_id environment',
  mail: 'cause_key id kind merchant_id receiver state',
  mail_follow: 'follower',
  mail_left: 'merchant_id',
  mail_stop: 'address cause',
  market_draft: 'actor chain end_state held_up order_id terms',
  membership: 'mail_language mails merchant_id person_id role',
  merchant: 'id',
  merchant_domain: 'host merchant_id proof_token',
  merchant_environment:
    'call_addresses confirmations customer_mails environment merchant_id method_order ' +
    'methods_off methods_recommended preferred_authentication risk_tolerance settlement_asset ' +
    'withdrawal_addresses',
  merchant_dark_logo: 'hash ink merchant_id',
  merchant_font: 'hash merchant_id weight',
  merchant_logo: 'hash ink merchant_id',
  merchant_mail_words: 'environment kind language merchant_id',
  merchant_page_words: 'language merchant_id place',
  merchant_page:
    'background_color blocks colors default_language font languages merchant_id primary_color ' +
    'return_method',
  misdirected_receipt: 'instruction_id',
  owner_signature: 'chain digest owner signature',
  passkey: 'credential_id person_id',
  past_window: 'asset_id checkout_id instruction_id network rates settlement_asset_id',
  payer_mail: 'checkout_id customer_id language merchant_id',
  payment_link: 'currency environment id merchant_id settlement_asset',
  person: 'id password_hash',
  provider_move: 'actor arrived_by asset_id direction environment id network provider',
  provider_trade:
    'actor environment fee_asset_id got_asset_id id provider sold_asset_id symbol trade_id',
  rate: 'code environment evidence',
  receipt:
    'asset_id block_hash chain credit_key destination instruction_id merchant_id purpose ' +
    'purpose_id replaced_by spends status transaction unasked_settlement_asset_id',
  receipt_credit:
    'account asset_id checkout_id evidence network rate_basis refund_id ' + 'settlement_asset_id',
  receipt_remark: 'chain credit_key transfer_id',
  recovery_code: 'person_id',
  refund:
    'api_key asset_id checkout_id context environment id kind merchant_id network payment ' +
    'state transfer_id',
  released_payment: 'block_hash chain release_id',
  sandbox_block: 'chain hash parent_hash',
  sandbox_chain: 'chain',
  sandbox_silence: 'chain merchant_id',
  sandbox_transfer: 'asset_id chain destination merchant_id spends state transaction',
  schema_migration: 'checksum name',
  sending_act: 'act decided_by transfer_id',
  settlement_rule:
    'actor api_key asset_id beneficiary_id convert_to environment every id merchant_id ' +
    'network told_code zone',
  settlement_run: 'code merchant_id reason rule_id state swap_id transfer_id',
  sign_in_link: 'person_id',
  sign_in_step: 'challenge kind person_id',
  signing_turn: 'chain process_id',
  spending_limit: 'actor environment kind measure merchant_id',
  staff_session: 'address kiosk person_id',
  stellar_balance: 'account asset_ids chain',
  suspense: 'asset_id environment merchant_id network purpose purpose_id reason state',
  suspense_act: 'actor address checkout_id kind merchant_id transaction transfer_id',
  swap:
    'api_key environment failure id maker merchant_id rates source_asset_id state ' +
    'target_asset_id',
  sweep_move:
    'asset_id chain held_up id kind planned_by question receiver signed_transaction source ' +
    'spends state terms transactions',
  taking: 'asset_id currency environment language merchant_id network',
  transfer:
    'api_key asset_id beneficiary_id claimable environment gas_fee held_up id kind maker ' +
    'merchant_id network parked_reason signed_transaction source state step_error ' +
    'transaction',
  undone_transfer: 'state transaction transfer_id',
  unwritten_mail: 'fact id source',
  used_signature: 'api_key',
  webhook_delivery: 'api_version endpoint_id environment event_id lane merchant_id reason state',
  webhook_endpoint: 'api_key api_version environment event_types format id merchant_id',
  webhook_lane: 'lane',
  x402_settlement:
    'chain checkout_id draft id question sender settled_by signed_transaction transaction',
  xrpl_account: 'account chain last_transaction',
};

const ALL_OF_A_BILL = 'bill.payload';
const ASKED = 'merchant.asking payment_link.asking checkout.asking';
const NO_TEXT = '';

/** Fields of forms into which somebody types: the columns of its text; none where no text is kept. */
export const FIELDS: Readonly<Record<string, string>> = {
  title: 'payment_link.title',
  text: 'payment_link.description',
  name: 'invitation.name person.name counter_item.name bill.buyer bill_sender.party',
  email: 'invitation.email person.email customer.email bill.buyer',
  item: 'checkout.payload bill.payload',
  discount: ALL_OF_A_BILL,
  shipping: ALL_OF_A_BILL,
  taxName: ALL_OF_A_BILL,
  reason: 'bill.tax_reason',
  note: 'bill.note',
  street: 'bill.buyer bill_sender.party',
  zip: 'bill.buyer bill_sender.party',
  city: 'bill.buyer bill_sender.party',
  taxNumber: 'bill_sender.party bill.seller',
  label: 'api_key.label beneficiary.label passkey.label',
  'account.iban': 'beneficiary.account',
  'account.holder': 'beneficiary.account',
  'account.bic': NO_TEXT,
  url: 'webhook_endpoint.url',
  shopName: 'merchant.shop_name',
  contact: 'merchant_page.contact',
  sellerInfo: 'merchant.seller_info',
  embedOrigins: 'merchant_page.embed_origins',
  HEADING: 'merchant_page_words.words',
  PAY_NOTE: 'merchant_page_words.words',
  PAID: 'merchant_page_words.words',
  TERMS: 'merchant_page_words.words',
  opening: 'merchant_mail_words.opening',
  closing: 'merchant_mail_words.closing',
  'ask.label': ASKED,
  'ask.labels': ASKED,
  'ask.choices': ASKED,
  termsUrl: ASKED,
  termsText: ASKED,
  // Letters and digits that are checked, amounts, numbers, times.
  'ask.key': NO_TEXT,
  'ask.least': NO_TEXT,
  'ask.most': NO_TEXT,
  tipPercents: NO_TEXT,
  tipAmounts: NO_TEXT,
  cornerRadius: NO_TEXT,
  'light-background': NO_TEXT,
  'light-surface': NO_TEXT,
  'light-text': NO_TEXT,
  'light-muted': NO_TEXT,
  'light-accent': NO_TEXT,
  'light-accent-text': NO_TEXT,
  'light-border': NO_TEXT,
  'light-success': NO_TEXT,
  'light-warning': NO_TEXT,
  'light-error': NO_TEXT,
  'dark-background': NO_TEXT,
  'dark-surface': NO_TEXT,
  'dark-text': NO_TEXT,
  'dark-muted': NO_TEXT,
  'dark-accent': NO_TEXT,
  'dark-accent-text': NO_TEXT,
  'dark-border': NO_TEXT,
  'dark-success': NO_TEXT,
  'dark-warning': NO_TEXT,
  'dark-error': NO_TEXT,
  country: NO_TEXT,
  vatId: NO_TEXT,
  prefix: NO_TEXT,
  address: NO_TEXT,
  zone: NO_TEXT,
  amount: NO_TEXT,
  least: NO_TEXT,
  most: NO_TEXT,
  stock: NO_TEXT,
  until: NO_TEXT,
  count: NO_TEXT,
  'tip-own': NO_TEXT,
  price: NO_TEXT,
  quantity: NO_TEXT,
  discountAmount: NO_TEXT,
  shippingAmount: NO_TEXT,
  percent: NO_TEXT,
  dueDays: NO_TEXT,
  threshold: NO_TEXT,
  keep: NO_TEXT,
  day: NO_TEXT,
  hour: NO_TEXT,
  place: NO_TEXT,
  small: NO_TEXT,
  medium: NO_TEXT,
  large: NO_TEXT,
  underpaid: NO_TEXT,
  lateFloor: NO_TEXT,
  lateDays: NO_TEXT,
  returnCountdownSeconds: NO_TEXT,
  // Kept as a hash.
  password: NO_TEXT,
};
