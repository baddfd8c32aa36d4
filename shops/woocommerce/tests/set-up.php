<?php

// php set-up.php FOLDER URL: brings the WordPress in FOLDER to where a shop sells: tables, WooCommerce, our
// plugin, a product, a checkout page of each kind. Prints what the stories need to know, as JSON.

declare(strict_types=1);

[, $folder, $url] = $argv;
$_SERVER['HTTP_HOST'] = parse_url($url, PHP_URL_HOST) . ':' . parse_url($url, PHP_URL_PORT);
if (getenv('SHOP_STEP') === 'install') {
    define('WP_INSTALLING', true);
}
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

if (getenv('SHOP_STEP') === 'install') {
    wp_install('Shop', 'owner', 'owner@shop.example', true, '', 'owner-of-the-shop');
    update_option('siteurl', $url);
    update_option('home', $url);
    update_option('active_plugins', [
        'woocommerce/woocommerce.php',
        'quittance-for-woocommerce/quittance-for-woocommerce.php',
    ]);
    if (is_dir(get_theme_root() . '/storefront')) {
        switch_theme('storefront');
    }
    exit(0);
}

WC_Install::install();
$hpos = getenv('SHOP_HPOS') === 'no' ? 'no' : 'yes';
if ($hpos === 'yes') {
    wc_get_container()->get(Automattic\WooCommerce\Internal\DataStores\Orders\DataSynchronizer::class)->create_database_tables();
}
update_option('woocommerce_custom_orders_table_enabled', $hpos);
foreach ([
    'woocommerce_currency' => 'EUR',
    'woocommerce_default_country' => 'DE',
    'woocommerce_enable_guest_checkout' => 'yes',
    'woocommerce_coming_soon' => 'no',
    'woocommerce_calc_taxes' => 'yes',
    'woocommerce_prices_include_tax' => 'no',
    'woocommerce_manage_stock' => 'yes',
    'woocommerce_hold_stock_minutes' => '60',
    'woocommerce_task_list_hidden' => 'yes',
    'woocommerce_onboarding_profile' => ['skipped' => true],
    'blog_public' => '0',
] as $name => $value) {
    update_option($name, $value);
}
WC_Tax::_insert_tax_rate(['tax_rate_country' => 'DE', 'tax_rate' => '19', 'tax_rate_name' => 'VAT', 'tax_rate_priority' => 1, 'tax_rate_shipping' => 1, 'tax_rate_order' => 1, 'tax_rate_class' => '']);
$product = new WC_Product_Simple();
$product->set_name('A good book & a pen');
$product->set_regular_price('16.72');
$product->set_virtual(false);
$product->set_manage_stock(true);
$product->set_stock_quantity(100);
$product->save();
$zone = new WC_Shipping_Zone();
$zone->set_zone_name('Everywhere');
$zone->save();
$zone->add_shipping_method('flat_rate');
$method = current($zone->get_shipping_methods());
update_option($method->get_instance_option_key(), ['title' => 'Post', 'tax_status' => 'taxable', 'cost' => '3.33']);
WC_Install::create_pages();
$page = static fn (string $title, string $content): int => wp_insert_post([
    'post_title' => $title, 'post_content' => $content, 'post_status' => 'publish', 'post_type' => 'page',
]);
$classic = $page('Classic checkout', '[woocommerce_checkout]');
$blocks = $page('Block checkout', (string) get_post(wc_get_page_id('checkout'))->post_content);
update_option('woocommerce_checkout_page_id', $classic);
update_option('woocommerce_quittance_settings', [
    'enabled' => 'yes',
    'title' => 'Bitcoin and other cryptocurrencies',
    'description' => 'You choose how to pay on the next page.',
    'address' => getenv('QUITTANCE_URL'),
    'key' => getenv('QUITTANCE_KEY'),
    'secret' => getenv('QUITTANCE_SECRET'),
    'webhook_secret' => getenv('QUITTANCE_WEBHOOK_SECRET'),
    'environment' => 'test',
]);
wp_set_password('owner-of-the-shop', 1);
echo json_encode([
    'wordpress' => get_bloginfo('version'),
    'woocommerce' => WC()->version,
    'hpos' => get_option('woocommerce_custom_orders_table_enabled'),
    'product' => $product->get_id(),
    'classic' => $classic,
    'blocks' => $blocks,
]), "\n";
