<?php

// php look.php ORDER: what the shop has of an order now, as JSON. With SHOP_UNDO it forgets first that it is paid.

declare(strict_types=1);

$_SERVER['HTTP_HOST'] = parse_url((string) getenv('SHOP_URL'), PHP_URL_HOST) . ':' . parse_url((string) getenv('SHOP_URL'), PHP_URL_PORT);
require getenv('SHOP_FOLDER') . '/wp-load.php';

$order = wc_get_order((int) $argv[1]);
if (getenv('SHOP_UNDO') === 'yes') {
    $order->delete_meta_data(QuittanceWooCommerce\OrderSettler::STAGE);
    $order->set_status('pending');
    $order->save();
}
echo json_encode([
    'status' => $order->get_status(),
    'total' => $order->get_total(),
    'key' => $order->get_order_key(),
    'checkouts' => QuittanceWooCommerce\OrderSettler::checkoutsOf($order),
    'refunds' => array_values(QuittanceWooCommerce\OrderRefunds::notedOf($order)),
    'notes' => array_column(wc_get_order_notes(['order_id' => $order->get_id()]), 'content'),
    'refused' => get_option(QuittanceWooCommerce\WebhookFault::OPTION, ''),
    'shop' => QuittanceWooCommerce\Settings::shop(),
    'stock' => wc_get_product((int) getenv('SHOP_PRODUCT'))->get_stock_quantity(),
]), "\n";
