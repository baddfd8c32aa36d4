<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The same way to pay in the checkout block. */
final class BlocksMethod extends AbstractPaymentMethodType
{
    protected $name = Gateway::ID;

    public function __construct(private readonly string $file)
    {
    }

    public function initialize(): void
    {
        $saved = get_option(Settings::OPTION, []);
        $this->settings = is_array($saved) ? $saved : [];
    }

    public function is_active(): bool
    {
        return ($this->settings['enabled'] ?? 'no') === 'yes' && Settings::read()->isComplete();
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        $needed = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        $url = plugins_url('assets/blocks.js', $this->file);
        wp_register_script('quittance-blocks', $url, $needed, Plugin::VERSION, true);
        return ['quittance-blocks'];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        return [
            'title' => $this->get_setting('title'),
            'description' => $this->get_setting('description'),
            'button' => __('Continue to payment', 'quittance-for-woocommerce'),
            'test' => Settings::read()->isTest ? wp_strip_all_tags(Gateway::testNotice()) : '',
            'supports' => ['products', 'refunds'],
        ];
    }
}
