<?php

// php set-webhook-secret.php SECRET: the secret of webhooks, as if it had been saved.

declare(strict_types=1);

$_SERVER['HTTP_HOST'] = parse_url((string) getenv('SHOP_URL'), PHP_URL_HOST) . ':' . parse_url((string) getenv('SHOP_URL'), PHP_URL_PORT);
require getenv('SHOP_FOLDER') . '/wp-load.php';

$saved = get_option(QuittanceWooCommerce\Settings::OPTION);
update_option(QuittanceWooCommerce\Settings::OPTION, [...$saved, 'webhook_secret' => $argv[1]]);
