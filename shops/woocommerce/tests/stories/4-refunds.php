<?php

// A part and the rest, from the order: what is asked for, the link to claim it, what becomes of it.

use QuittanceWooCommerce\Amount;
use QuittanceWooCommerce\OrderRefunds;
use QuittanceWooCommerce\OrderSettler;
use QuittanceWooCommerce\RefundViews;
use QuittanceWooCommerce\Settings;

$order = order();
$checkoutId = start($order);
pay($checkoutId);
OrderSettler::settle($order->get_id());
$paid = client()->checkout->get($checkoutId)->sourceAmountReceived;
$give = static fn (string $amount): WC_Order_Refund|WP_Error => wc_create_refund(['order_id' => $order->get_id(), 'amount' => $amount, 'reason' => 'torn', 'refund_payment' => true]);
$listed = static fn (): array => array_values(OrderRefunds::notedOf(wc_get_order($order->get_id())));
$part = $give('5.00');
check('a part is refunded', $part instanceof WC_Order_Refund ? '' : $part->get_error_message(), '');
check('with a link to claim it', str_starts_with((string) ($listed()[0]['claimUrl'] ?? ''), 'http'));
$share = Amount::share($paid, 500, Amount::units($order->get_total(), 2));
check('of the same part of the coins', $listed()[0]['amount'], "$share LTC");
check('the customer is told', notes($order, 'Your refund is ready'), 1);
$whole = $give(wc_format_decimal($order->get_total() - 5, 2));
check('the rest is refunded', $whole instanceof WC_Order_Refund ? '' : $whole->get_error_message(), '');
check('the order is refunded', status($order), 'refunded');
$sum = array_sum(array_map('floatval', array_column($listed(), 'amount')));
check('both are all that was paid', abs($sum - (float) $paid) < 1e-8);
check('and no more', $give('1.00') instanceof WP_Error);
ob_start();
RefundViews::box(wc_get_order($order->get_id()));
check('the shop sees both links', substr_count((string) ob_get_clean(), '/refund/') >= 2);
ob_start();
RefundViews::forCustomer(wc_get_order($order->get_id()));
check('so does the customer', substr_count((string) ob_get_clean(), 'Say where the money') , 2);
$refundId = (string) array_key_first(OrderRefunds::notedOf(wc_get_order($order->get_id())));
$told = static fn (string $id): array => ['refund' => ['id' => $id, 'checkoutId' => $checkoutId, 'meta' => ['order' => (string) $order->get_id(), 'shop' => Settings::shop()]]];
check('a webhook of a refund', webhook($told($refundId))[0], 200);
check('of one that is not there', webhook($told('zzzzzzzzzzzz'))[0], 503);
$unpaid = order();
check('an order that is not paid', wc_create_refund(['order_id' => $unpaid->get_id(), 'amount' => '1.00', 'refund_payment' => true]) instanceof WP_Error);
$only = order();
pay($onlyCheckout = start($only), network: (string) getenv('SHOP_NETWORK_ONCE'));
OrderSettler::settle($only->get_id());
check('the only sale in a coin is paid', status($only), 'processing');
$refused = wc_create_refund(['order_id' => $only->get_id(), 'amount' => $only->get_total(), 'refund_payment' => true]);
$said = $refused instanceof WP_Error ? $refused->get_error_message() : 'given back';
check('and cannot be given back whole, since the network takes something', str_contains($said, 'The balance in Quittance does not hold this amount'));
check('the order is not refunded', [status($only), OrderRefunds::notedOf(wc_get_order($only->get_id()))], ['processing', []]);
