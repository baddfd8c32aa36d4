<?php

// What is saved is tried, and said in words; secrets get into no page and no log. The list for withdrawals of the
// live environment is empty: a live key is told before a refund is refused.

use QuittanceWooCommerce\ConnectionCheck;
use QuittanceWooCommerce\Gateway;
use QuittanceWooCommerce\Log;
use QuittanceWooCommerce\Settings;

$saved = get_option(Settings::OPTION);
$try = static fn (array $change): array => ConnectionCheck::of(Settings::from([...$saved, ...$change]));
check('what is right', $try([]), ['faults' => [], 'environment' => 'test', 'refunds' => null]);
$says = static fn (array $change, string $part): bool => str_contains(implode(' ', $try($change)['faults']), $part);
check('no address', $says(['address' => ''], 'address of your installation is missing'));
check('no web address', $says(['address' => 'pay.example'], 'no web address'));
check('nothing answers', $says(['address' => 'http://127.0.0.1:9'], 'Nothing answers'));
check('another program answers', $says(['address' => getenv('SHOP_URL')], 'no Quittance installation'));
check('another secret', $says(['secret' => str_repeat('x', 29)], 'refuses the API key'));
check('no key', $says(['key' => ''], 'key or its secret is missing'));
$live = $try(['key' => getenv('QUITTANCE_LIVE_KEY'), 'secret' => getenv('QUITTANCE_LIVE_SECRET')]);
check('a live key', [$live['faults'], $live['environment']], [[], 'live']);
check('what its refunds need', str_contains((string) $live['refunds'], 'open IP addresses'));
check('with the address of this server', str_contains((string) $live['refunds'], 'allow-list add 127.0.0.1'));
$selling = $try(['key' => getenv('QUITTANCE_SELLING_KEY'), 'secret' => getenv('QUITTANCE_SELLING_SECRET')]);
check('a key that may only sell', [$selling['faults'], $selling['environment']], [[], 'test']);
check('is told that it may not give back', str_contains((string) $selling['refunds'], 'The API key may not move money'));
check('no secret of webhooks', $says(['webhook_secret' => 'whsec_short'], 'secret of webhooks'));
$gateway = new Gateway();
ob_start();
$gateway->admin_options();
$page = (string) ob_get_clean();
check('no secret is in the page', str_contains($page, $saved['secret']) || str_contains($page, $saved['webhook_secret']), false);
check('a form without the secret keeps it', $gateway->validate_password_field('secret', ''), $saved['secret']);
Log::error("trial: {$saved['secret']} {$saved['webhook_secret']}");
$logs = implode('', array_map('file_get_contents', glob(WP_CONTENT_DIR . '/uploads/wc-logs/quittance*.log')));
check('the log is written', str_contains($logs, 'trial: *** ***'));
check('and has no secret', str_contains($logs, $saved['secret']) || str_contains($logs, $saved['webhook_secret']), false);
check('it is offered', $gateway->is_available());
check('it says that no money moves', str_contains(Gateway::testNotice(), 'no money moves'));
update_option(Settings::OPTION, [...$saved, 'secret' => '']);
check('it is not offered half set up', (new Gateway())->is_available(), false);
update_option(Settings::OPTION, $saved);
load_textdomain('quittance-for-woocommerce', WP_PLUGIN_DIR . '/quittance-for-woocommerce/languages/quittance-for-woocommerce-de_DE.mo');
check('in German', __('Continue to payment', 'quittance-for-woocommerce'), 'Weiter zur Zahlung');
unload_textdomain('quittance-for-woocommerce');
