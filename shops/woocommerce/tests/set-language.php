<?php

// php set-language.php de_DE: the language of the shop; '' is English. WordPress takes only a language whose pack it
// has: an empty one is laid there, so that what is seen in that language is of our plugin.

declare(strict_types=1);

$_SERVER['HTTP_HOST'] = parse_url((string) getenv('SHOP_URL'), PHP_URL_HOST) . ':' . parse_url((string) getenv('SHOP_URL'), PHP_URL_PORT);
require getenv('SHOP_FOLDER') . '/wp-load.php';
require_once ABSPATH . WPINC . '/pomo/mo.php';

$language = $argv[1];
$pack = WP_LANG_DIR . "/$language.mo";
if ($language !== '' && !file_exists($pack)) {
    wp_mkdir_p(WP_LANG_DIR);
    (new MO())->export_to_file($pack);
}
update_option('WPLANG', $language);
if (get_option('WPLANG') !== $language) {
    fwrite(STDERR, "WordPress does not take the language $language\n");
    exit(1);
}
