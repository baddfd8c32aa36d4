<?php
/**
 * Plugin Name: Quittance for WooCommerce
 * Description: Take payments in cryptocurrencies and by bank on the payment page of your own Quittance installation.
 * Version: 0.1.0
 * Requires at least: 6.8
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.9
 * WC tested up to: 11.0
 * License: Apache-2.0
 * License URI: https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain: quittance-for-woocommerce
 * Domain Path: /languages
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

// Classes are loaded by their names: ours from src, those of the client library from lib.
spl_autoload_register(static function (string $class): void {
    foreach (['QuittanceWooCommerce\\Client\\' => 'lib', 'QuittanceWooCommerce\\' => 'src'] as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $file = __DIR__ . "/$folder/" . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
            if (is_file($file)) {
                require $file;
            }
            return;
        }
    }
});

// Orders are only touched by the methods of WC_Order, wherever WooCommerce keeps them.
add_action('before_woocommerce_init', static function (): void {
    $features = 'Automattic\\WooCommerce\\Utilities\\FeaturesUtil';
    if (class_exists($features)) {
        $features::declare_compatibility('custom_order_tables', __FILE__, true);
        $features::declare_compatibility('cart_checkout_blocks', __FILE__, true);
    }
});

add_action('plugins_loaded', static function (): void {
    if (class_exists('WC_Payment_Gateway')) {
        QuittanceWooCommerce\Plugin::start(__FILE__);
    }
});

register_deactivation_hook(__FILE__, static function (): void {
    if (function_exists('as_unschedule_all_actions')) {
        as_unschedule_all_actions('', [], 'quittance');
    }
});
