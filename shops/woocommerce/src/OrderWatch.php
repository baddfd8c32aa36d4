<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/**
 * Looks after orders that no webhook may have reached: when the customer comes back, by scheduled actions
 * that grow apart, and before WooCommerce gives up an order that was not paid in time.
 */
final class OrderWatch
{
    public const ACTION = 'quittance_check_order';
    private const DELAYS = [120, 600, 1800, 7200, 21600];
    private const DAY = 86400;
    /** Late money still counts: so many days are looked at. */
    private const DAYS = 14;

    /** The next look at an order, when so many were done. */
    public static function after(int $orderId, int $done): void
    {
        $delay = self::DELAYS[$done] ?? self::DAY;
        if ($done >= count(self::DELAYS) + self::DAYS) {
            return;
        }
        if ($done === 0 && self::isPlanned($orderId)) {
            return;
        }
        as_schedule_single_action(time() + $delay, self::ACTION, [$orderId, $done], 'quittance');
    }

    public static function check(int $orderId, int $done): void
    {
        $stage = self::settle($orderId);
        if ($stage === null || !Decision::isFinal($stage)) {
            self::after($orderId, $done + 1);
        }
    }

    /** Before the page of a received order is drawn, so that it shows what is so. */
    public static function onReturn(): void
    {
        global $wp;
        if (!is_wc_endpoint_url('order-received')) {
            return;
        }
        $order = wc_get_order(absint($wp->query_vars['order-received'] ?? 0));
        $key = isset($_GET['key']) ? sanitize_text_field(wp_unslash($_GET['key'])) : '';
        if (!$order instanceof \WC_Order || !hash_equals($order->get_order_key(), $key)) {
            return;
        }
        $isOurs = $order->get_payment_method() === Gateway::ID;
        if ($isOurs && !Decision::isFinal((string) $order->get_meta(OrderSettler::STAGE))) {
            self::settle($order->get_id());
        }
    }

    /** Whether WooCommerce may give up an order whose time is over: not when money is on its way. */
    public static function mayCancel(bool $may, \WC_Order $order): bool
    {
        if (!$may || $order->get_payment_method() !== Gateway::ID) {
            return $may;
        }
        $stage = self::settle($order->get_id());
        return $stage !== null && in_array($stage, ['', Decision::OPEN, Decision::EXPIRED, Decision::CANCELLED], true);
    }

    /** @return string|null the stage; null where the service could not be asked */
    private static function settle(int $orderId): ?string
    {
        try {
            return OrderSettler::settle($orderId);
        } catch (\Throwable $error) {
            Log::error("order $orderId cannot be looked at: " . $error->getMessage());
            return null;
        }
    }

    private static function isPlanned(int $orderId): bool
    {
        $found = as_get_scheduled_actions([
            'hook' => self::ACTION,
            'args' => [$orderId],
            'partial_args_matching' => 'json',
            'status' => 'pending',
            'per_page' => 1,
        ], 'ids');
        return $found !== [];
    }
}
