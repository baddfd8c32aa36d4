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
                'description' => __('What stands before /dashboard in your browser.', 'quittance-for-woocommerce'),
                'sanitize_callback' => [self::class, 'address'],
                'default' => '',
            ],
            'key' => [
                'title' => __('API key', 'quittance-for-woocommerce'),
                'type' => 'text',
                'description' => __('Made in the dashboard of Quittance under API keys: it may read checkouts and create and change them, and for refunds move money.', 'quittance-for-woocommerce'),
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
                'description' => __('The secret of checkouts, which begins with whsec_: in the dashboard of Quittance under Webhooks, of the same environment as the key.', 'quittance-for-woocommerce'),
                'default' => '',
            ],
        ];
    }

    /** What is copied from the bar of a browser may lack its beginning: without it WordPress would call the address unsafely. */
    public static function address(mixed $value): string
    {
        $text = trim((string) $value);
        $whole = $text === '' || preg_match('~^[a-z]+://~i', $text) === 1 ? $text : "https://$text";
        return rtrim(esc_url_raw($whole, ['http', 'https']), '/');
    }
}
