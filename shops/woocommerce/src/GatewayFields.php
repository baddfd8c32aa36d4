<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/** The form of the settings. */
final class GatewayFields
{
    /** @return array<string, array<string, mixed>> */
    public static function all(): array
    {
        return [
            'enabled' => [
                'title' => __('Enable', 'quittance-for-woocommerce'),
                'type' => 'checkbox',
                'label' => __('Offer Quittance at the checkout', 'quittance-for-woocommerce'),
                'default' => 'no',
            ],
            'title' => [
                'title' => __('Title', 'quittance-for-woocommerce'),
                'type' => 'safe_text',
                'default' => __('Bitcoin and other cryptocurrencies', 'quittance-for-woocommerce'),
            ],
            'description' => [
                'title' => __('Description', 'quittance-for-woocommerce'),
                'type' => 'textarea',
                'default' => __('You choose how to pay on the next page.', 'quittance-for-woocommerce'),
            ],
            'address' => [
                'title' => __('Address of your installation', 'quittance-for-woocommerce'),
                'type' => 'text',
                'placeholder' => 'https://pay.example',
                'sanitize_callback' => static fn (mixed $value): string => rtrim(esc_url_raw(trim((string) $value), ['http', 'https']), '/'),
                'default' => '',
            ],
            'key' => [
                'title' => __('API key', 'quittance-for-woocommerce'),
                'type' => 'text',
                'description' => __('Made in the dashboard of Quittance under API keys, with the scopes read and checkout, and money for refunds.', 'quittance-for-woocommerce'),
                'default' => '',
            ],
            'secret' => [
                'title' => __('Secret of the API key', 'quittance-for-woocommerce'),
                'type' => 'password',
                'default' => '',
            ],
            'webhook_secret' => [
                'title' => __('Secret of webhooks', 'quittance-for-woocommerce'),
                'type' => 'password',
                'description' => __('It begins with whsec_ and is in the dashboard of Quittance under Webhooks, of the same environment as the key.', 'quittance-for-woocommerce'),
                'default' => '',
            ],
        ];
    }
}
