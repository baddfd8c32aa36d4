<?php

// php set-language.php de_DE: the language of the shop; '' is English.

declare(strict_types=1);

$_SERVER['HTTP_HOST'] = parse_url((string) getenv('SHOP_URL'), PHP_URL_HOST) . ':' . parse_url((string) getenv('SHOP_URL'), PHP_URL_PORT);
require getenv('SHOP_FOLDER') . '/wp-load.php';

update_option('WPLANG', $argv[1]);
