<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Model\Checkout;

/**
 * Brings an order to where its checkout is. Guarantees: the service is asked while the order is locked, so
 * that whoever comes later knows more; nothing that a webhook or an address of the browser says is believed;
 * every change of state happens once.
 */
final class OrderSettler
{
    public const CHECKOUTS = '_quittance_checkout_id';
    public const ADDRESS = '_quittance_checkout_url';
    public const STAGE = '_quittance_stage';
    public const OVERPAID = '_quittance_overpaid';

    /**
     * @param string|null $checkoutId one of the order's; the newest unless given
     * @return string the stage that the order is in now; '' where nothing was made for it
     * @throws \Throwable where the service could not be asked
     */
    public static function settle(int $orderId, ?string $checkoutId = null): string
    {
        return OrderLock::hold($orderId, static function () use ($orderId, $checkoutId): string {
            $order = OrderLock::fresh($orderId);
            $known = $order === null ? [] : self::checkoutsOf($order);
            $asked = $checkoutId ?? end($known);
            if ($asked === false || !in_array($asked, $known, true)) {
                Log::info("order $orderId has no checkout " . ($checkoutId ?? ''));
                return '';
            }
            $checkout = Settings::read()->client()->checkout->get($asked);
            return self::apply($order, $checkout);
        });
    }

    /** @return list<string> oldest first */
    public static function checkoutsOf(\WC_Order $order): array
    {
        $found = $order->get_meta(self::CHECKOUTS, false);
        // Where orders have tables of their own they come in the order of an index, which is that of their values.
        // What is not stored yet has no number.
        usort($found, static fn (\WC_Meta_Data $one, \WC_Meta_Data $other): int => ($one->id ?: PHP_INT_MAX) <=> ($other->id ?: PHP_INT_MAX));
        return array_values(array_map(static fn (\WC_Meta_Data $one): string => (string) $one->value, $found));
    }

    private static function apply(\WC_Order $order, Checkout $checkout): string
    {
        $noted = (string) $order->get_meta(self::STAGE);
        $known = self::checkoutsOf($order);
        $isNewest = $checkout->id === end($known);
        if (!self::isOf($order, $checkout)) {
            Log::error("checkout $checkout->id does not name order {$order->get_id()}");
            return $noted;
        }
        $said = [
            'state' => $checkout->state,
            'isReversed' => self::isReversed($checkout),
            'isAsked' => self::isAsked($order, $checkout),
        ];
        // Of an earlier checkout of the order only its money matters: that it was left is no news.
        if (!$isNewest && !in_array($checkout->state, ['COMPLETED', 'UNDERPAID', 'PENDING'], true)) {
            return $noted;
        }
        $decision = Decision::of($noted, $order->get_status(), $said);
        if ($decision !== null) {
            self::carryOut($order, $decision, $checkout);
        }
        self::noteOverpaid($order, $checkout);
        return $decision?->stage ?? $noted;
    }

    private static function carryOut(\WC_Order $order, Decision $decision, Checkout $checkout): void
    {
        $note = OrderNotes::of($decision, $checkout, $order);
        $order->update_meta_data(self::STAGE, $decision->stage);
        if ($decision->completes) {
            $order->add_order_note($note);
            $order->payment_complete($checkout->id);
        } elseif ($decision->status !== null) {
            $order->set_status($decision->status, $note);
            $order->save();
        } else {
            $order->add_order_note($note);
            $order->save();
        }
        Log::info("order {$order->get_id()}: {$decision->stage} by checkout $checkout->id");
    }

    private static function noteOverpaid(\WC_Order $order, Checkout $checkout): void
    {
        $amount = isset($checkout->flags->overpaid) ? $checkout->flags->overpaid->amount : '';
        if ($amount === '' || $amount === $order->get_meta(self::OVERPAID)) {
            return;
        }
        $order->update_meta_data(self::OVERPAID, $amount);
        $order->add_order_note(OrderNotes::overpaid($checkout));
        $order->save();
    }

    /** The checkout itself says which order of which shop it is for. */
    private static function isOf(\WC_Order $order, Checkout $checkout): bool
    {
        $meta = isset($checkout->meta) ? $checkout->meta : null;
        return $meta !== null
            && ($meta['order'] ?? null) === (string) $order->get_id()
            && ($meta['shop'] ?? null) === Settings::shop();
    }

    private static function isAsked(\WC_Order $order, Checkout $checkout): bool
    {
        return $checkout->billingCurrency === $order->get_currency()
            && Amount::isSame($checkout->total, OrderCharge::totalOf($order));
    }

    private static function isReversed(Checkout $checkout): bool
    {
        $flags = $checkout->flags;
        if (!isset($flags->reversed)) {
            return false;
        }
        return !isset($flags->restored) || $flags->restored->at < $flags->reversed->at;
    }
}
