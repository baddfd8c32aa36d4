<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Exception\AuthenticationError;
use QuittanceWooCommerce\Client\Exception\ForbiddenError;
use QuittanceWooCommerce\Client\Exception\NetworkError;
use QuittanceWooCommerce\Client\Exception\QuittanceError;
use QuittanceWooCommerce\Client\Exception\RequestTimeoutError;

/** Tries what was saved, and says in words what is wrong with it. */
final class ConnectionCheck
{
    /** A checkout that no account has: its answer tells a test key from a live one. */
    private const NO_CHECKOUT = '000000000000';

    /**
     * @return array{faults: list<string>, environment: string|null, refunds: string|null} the environment of
     *     the key, where it is known, and what refunds from an order still need
     */
    public static function of(Settings $settings): array
    {
        $faults = self::missing($settings);
        if ($faults !== []) {
            return ['faults' => $faults, 'environment' => null, 'refunds' => null];
        }
        try {
            $client = $settings->client(maxRetries: 0);
            $client->checkout->list(['limit' => 1])->first();
            return ['faults' => [], 'environment' => self::environment($client), 'refunds' => RefundRefusal::expected($client)];
        } catch (QuittanceError | \InvalidArgumentException $error) {
            return ['faults' => [self::say($error, $settings)], 'environment' => null, 'refunds' => null];
        }
    }

    /** @return list<string> */
    private static function missing(Settings $settings): array
    {
        $faults = [];
        $parts = wp_parse_url($settings->address);
        if ($settings->address === '') {
            $faults[] = __('The address of your installation is missing, such as https://pay.example.', 'quittance-for-woocommerce');
        } elseif (!in_array($parts['scheme'] ?? '', ['http', 'https'], true) || ($parts['host'] ?? '') === '') {
            $faults[] = __('The address of your installation is no web address: it begins with https://.', 'quittance-for-woocommerce');
        }
        if ($settings->key === '' || $settings->secret === '') {
            $faults[] = __('The API key or its secret is missing. Both are made in the dashboard of Quittance under API keys.', 'quittance-for-woocommerce');
        }
        if (preg_match('/^whsec_[A-Za-z0-9+\/]{32,}={0,2}$/D', $settings->webhookSecret) !== 1) {
            $faults[] = __('The secret of webhooks is missing or does not begin with whsec_. It is the secret of checkouts in the dashboard of Quittance under Webhooks.', 'quittance-for-woocommerce');
        }
        return $faults;
    }

    private static function environment(Client\Quittance $client): string
    {
        try {
            $client->sandbox->expire(self::NO_CHECKOUT);
        } catch (QuittanceError $error) {
            return $error->errorCode === 'test_key_required' ? 'live' : 'test';
        }
        return 'test';
    }

    private static function say(\Throwable $error, Settings $settings): string
    {
        if ($error instanceof AuthenticationError) {
            return __('Quittance refuses the API key or its secret. Copy both again, or make a new key.', 'quittance-for-woocommerce');
        }
        if ($error instanceof ForbiddenError) {
            /* translators: %s: what the service answered */
            return sprintf(__('The API key may not do what is needed: %s. Make one that may read checkouts and create and change them, and for refunds move money.', 'quittance-for-woocommerce'), $error->getMessage());
        }
        if ($error instanceof NetworkError || $error instanceof RequestTimeoutError) {
            /* translators: 1: web address, 2: reason */
            return sprintf(__('Nothing answers at %1$s. Is this the address of your installation, and may your server call it? %2$s', 'quittance-for-woocommerce'), $settings->address, $error->getMessage());
        }
        if ($error instanceof QuittanceError && $error->errorCode !== 'answer_malformed') {
            /* translators: %s: what the service answered */
            return sprintf(__('Quittance answers: %s', 'quittance-for-woocommerce'), $error->getMessage());
        }
        /* translators: %s: web address */
        return sprintf(__('What answers at %s is no Quittance installation. Enter what stands before /dashboard when you look at Quittance, such as https://pay.example.', 'quittance-for-woocommerce'), $settings->address);
    }
}
