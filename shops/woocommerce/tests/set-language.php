<?php

// php set-language.php de_DE: the language of the shop; '' is English. WordPress takes only a language whose pack it
// has: an empty one is laid there, so that what is seen in that language is of our plugin.

declare(strict_types=1);

$folder = (string) getenv('SHOP_FOLDER');
$language = $argv[1];
$packs = "$folder/wp-content/languages";
// Before WordPress starts: it looks once which packs it has.
if ($language !== '' && !file_exists("$packs/$language.mo")) {
    require_once "$folder/wp-includes/pomo/mo.php";
    is_dir($packs) || mkdir($packs);
    (new MO())->export_to_file("$packs/$language.mo");
}
$_SERVER['HTTP_HOST'] = parse_url((string) getenv('SHOP_URL'), PHP_URL_HOST) . ':' . parse_url((string) getenv('SHOP_URL'), PHP_URL_PORT);
require "$folder/wp-load.php";
update_option('WPLANG', $language);
if (get_option('WPLANG') !== $language) {
    fwrite(STDERR, "WordPress does not take the language $language\n");
    exit(1);
}
