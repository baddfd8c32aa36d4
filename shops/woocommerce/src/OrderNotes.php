<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Model\Checkout;

/** What the people of the shop read beside an order, of each decision. */
final class OrderNotes
{
    public static function of(Decision $decision, Checkout $checkout, \WC_Order $order): string
    {
        $id = $checkout->id;
        $flags = $checkout->flags;
        $text = match ($decision->stage) {
            /* translators: 1: amount with its unit, 2: name of a network, 3: id of a checkout */
            Decision::PAID => sprintf(__('Quittance: paid with %1$s on %2$s (checkout %3$s).', 'quittance-for-woocommerce'), self::received($checkout), self::network($checkout), $id),
            /* translators: 1: amount with its unit, 2: name of a network, 3: id of a checkout */
            Decision::PAID_TOO => sprintf(__('Quittance: %1$s came on %2$s (checkout %3$s), but this order had been closed or paid before. Ship it or give the money back.', 'quittance-for-woocommerce'), self::received($checkout), self::network($checkout), $id),
            /* translators: 1: amount and currency of a checkout, 2: amount and currency of the order, 3: id of a checkout */
            Decision::MISMATCH => sprintf(__('Quittance: a checkout over %1$s was paid, but the order is over %2$s (checkout %3$s). Look at it before you ship.', 'quittance-for-woocommerce'), "$checkout->total $checkout->billingCurrency", OrderCharge::totalOf($order) . ' ' . $order->get_currency(), $id),
            /* translators: %s: id of a checkout */
            Decision::REVERSED => sprintf(__('Quittance: the network took back money that this order was paid with (checkout %s). Do not ship.', 'quittance-for-woocommerce'), $id),
            /* translators: %s: id of a checkout */
            Decision::SEEN => sprintf(__('Quittance: a payment is seen and not final yet (checkout %s).', 'quittance-for-woocommerce'), $id),
            /* translators: 1: amount that came, 2: amount that was asked for, 3: id of a checkout */
            Decision::UNDERPAID => sprintf(__('Quittance: too little came: %1$s of %2$s (checkout %3$s). Wait for the rest, accept it in the dashboard of Quittance, or give it back.', 'quittance-for-woocommerce'), self::received($checkout), self::coins($checkout, 'sourceAmountRequired'), $id),
            /* translators: %s: id of a checkout */
            Decision::EXPIRED => sprintf(__('Quittance: not paid in time (checkout %s). Money that comes later still counts.', 'quittance-for-woocommerce'), $id),
            /* translators: %s: id of a checkout */
            Decision::CANCELLED => sprintf(__('Quittance: the checkout %s was cancelled.', 'quittance-for-woocommerce'), $id),
            /* translators: %s: id of a checkout */
            default => sprintf(__('Quittance: a payment that was seen is gone again (checkout %s).', 'quittance-for-woocommerce'), $id),
        };
        $isPaid = in_array($decision->stage, [Decision::PAID, Decision::PAID_TOO], true);
        return $isPaid && isset($flags->late)
            ? $text . ' ' . __('The money came after the payment window.', 'quittance-for-woocommerce')
            : $text;
    }

    public static function overpaid(Checkout $checkout): string
    {
        $flag = $checkout->flags->overpaid;
        /* translators: %s: amount with its unit */
        return sprintf(__('Quittance: %s more came than was asked for. Give it back, or keep it if the buyer says so.', 'quittance-for-woocommerce'), "$flag->amount $flag->assetCode");
    }

    private static function received(Checkout $checkout): string
    {
        return self::coins($checkout, 'sourceAmountReceived');
    }

    private static function coins(Checkout $checkout, string $field): string
    {
        $code = isset($checkout->depositInstructions) ? $checkout->depositInstructions->assetCode : '';
        return trim(($checkout[$field] ?? '0') . " $code");
    }

    private static function network(Checkout $checkout): string
    {
        return $checkout->sourceNetworkName ?? $checkout->sourceNetwork ?? '–';
    }
}
