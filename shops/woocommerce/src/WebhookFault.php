<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/**
 * Remembers that webhooks about orders of this shop are refused, and tells the people of the shop what to do. A
 * secret of webhooks that was copied from elsewhere looks right: only the first webhook shows it.
 */
final class WebhookFault
{
    public const OPTION = 'quittance_webhook_fault';

    /**
     * Guarantees: what names no checkout that an order here was given is not remembered, so that strangers
     * cannot make the notice appear.
     *
     * @param array{int, string, string|null}|null $subject as the refused body says it
     */
    public static function note(?array $subject): void
    {
        $order = $subject === null ? false : wc_get_order($subject[0]);
        if ($order instanceof \WC_Order && in_array($subject[1], OrderSettler::checkoutsOf($order), true)) {
            update_option(self::OPTION, (string) $subject[0], true);
        }
    }

    /** A webhook was verified, or other secrets were saved. */
    public static function forget(): void
    {
        delete_option(self::OPTION);
    }

    public static function notice(): void
    {
        $order = (string) get_option(self::OPTION, '');
        if ($order === '' || !current_user_can('manage_woocommerce')) {
            return;
        }
        /* translators: %s: number of an order */
        $words = sprintf(__('A webhook of Quittance about order %s was refused: it is not signed with the secret of webhooks that is saved here. Copy the secret of checkouts again, from the dashboard of Quittance under Webhooks, of the same environment as the key. Until then orders become paid later.', 'quittance-for-woocommerce'), $order);
        printf('<div class="notice notice-error"><p>%s</p></div>', esc_html($words));
    }
}
