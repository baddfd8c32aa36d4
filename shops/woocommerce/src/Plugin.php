<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/** Where WordPress and WooCommerce are told of the parts. */
final class Plugin
{
    public const VERSION = '0.1.0';

    public static function start(string $file): void
    {
        add_action('init', static function () use ($file): void {
            load_plugin_textdomain('quittance-for-woocommerce', false, dirname(plugin_basename($file)) . '/languages');
        });
        add_filter('woocommerce_payment_gateways', static fn (array $gateways): array => [...$gateways, Gateway::class]);
        add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry) use ($file): void {
            $registry->register(new BlocksMethod($file));
        });
        add_action('woocommerce_api_' . Gateway::ID, [WebhookEndpoint::class, 'receive']);
        add_action('template_redirect', [OrderWatch::class, 'onReturn']);
        add_action(OrderWatch::ACTION, [OrderWatch::class, 'check'], 10, 2);
        add_filter('woocommerce_cancel_unpaid_order', [OrderWatch::class, 'mayCancel'], 10, 2);
        add_action('add_meta_boxes', [RefundViews::class, 'addBox']);
        add_action('woocommerce_order_details_after_order_table', [RefundViews::class, 'forCustomer']);
        add_action('admin_notices', [self::class, 'noticeOfTest']);
        add_action('admin_notices', [WebhookFault::class, 'notice']);
        add_filter('plugin_action_links_' . plugin_basename($file), [self::class, 'links']);
    }

    public static function noticeOfTest(): void
    {
        $saved = get_option(Settings::OPTION, []);
        $settings = Settings::read();
        $isShown = ($saved['enabled'] ?? 'no') === 'yes' && $settings->isComplete() && $settings->isTest;
        if ($isShown && current_user_can('manage_woocommerce')) {
            $words = __('Quittance is in test mode: customers see the way to pay, and no money moves.', 'quittance-for-woocommerce');
            printf('<div class="notice notice-warning"><p>%s</p></div>', esc_html($words));
        }
    }

    /**
     * @param array<string, string> $links
     * @return array<string, string>
     */
    public static function links(array $links): array
    {
        $url = admin_url('admin.php?page=wc-settings&tab=checkout&section=' . Gateway::ID);
        $link = sprintf('<a href="%s">%s</a>', esc_url($url), esc_html__('Settings', 'quittance-for-woocommerce'));
        return ['settings' => $link, ...$links];
    }
}
