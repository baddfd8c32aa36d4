<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Exception\QuittanceError;

/** What the people of the shop do about it when the service refuses to give money back. */
final class RefundRefusal
{
    /** A checkout that no account has: what is asked about it moves nothing. */
    private const NO_CHECKOUT = '000000000000';

    /** Asked before anybody needs it: null when refunds of this server and this key are not refused. */
    public static function expected(Client\Quittance $client): ?string
    {
        try {
            $client->refunds->create(['checkoutId' => self::NO_CHECKOUT, 'kind' => 'full']);
        } catch (QuittanceError $error) {
            return self::advice($error);
        }
        return null;
    }

    public static function say(\Throwable $error): string
    {
        return self::advice($error) ?? $error->getMessage();
    }

    /** Null when the answer of the service says all there is to say. */
    private static function advice(\Throwable $error): ?string
    {
        $code = $error instanceof QuittanceError ? $error->errorCode : null;
        $words = match ($code) {
            /* translators: %s: what the service answered, with the address of this server */
            'allow_list_empty', 'address_not_allowed' => __('Money may not be moved from the address of this server yet. In the dashboard of Quittance choose Test or Live, as your key is, open IP addresses, and list the address that is named here for sending money out: %s', 'quittance-for-woocommerce'),
            /* translators: %s: what the service answered */
            'scope_missing' => __('The API key may not move money. In the dashboard of Quittance make a key that may, and enter it in the settings. (%s)', 'quittance-for-woocommerce'),
            /* translators: %s: what the service answered */
            'balance_too_low' => __('The balance in Quittance does not hold this amount and what the network takes. Refund less, or again after the next sale in the same coin. (%s)', 'quittance-for-woocommerce'),
            default => null,
        };
        return $words === null ? null : sprintf($words, $error->getMessage());
    }
}
