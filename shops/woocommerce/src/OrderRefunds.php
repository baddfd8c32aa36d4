<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Model\Refund;

/**
 * Money of an order that goes back. Guarantees: a refund of WooCommerce is asked for once, whatever is sent
 * twice; never more than was paid; what comes of it is asked of the service.
 */
final class OrderRefunds
{
    public const NOTED = '_quittance_refund';

    /** @throws \Throwable where the service refuses or does not answer */
    public static function create(int $orderId, string $amount, string $reason): Refund
    {
        return OrderLock::hold($orderId, static function () use ($orderId, $amount, $reason): Refund {
            $order = OrderLock::fresh($orderId) ?? throw new \RuntimeException('the order is gone');
            $checkoutId = $order->get_transaction_id();
            if (!in_array($checkoutId, OrderSettler::checkoutsOf($order), true)) {
                throw new \RuntimeException(__('This order was not paid with Quittance.', 'quittance-for-woocommerce'));
            }
            $client = Settings::read()->client(timeoutSeconds: 30);
            $checkout = $client->checkout->get($checkoutId);
            $refunds = $order->get_refunds();
            $newest = $refunds === [] ? 0 : max(array_map(static fn (\WC_Order_Refund $one): int => $one->get_id(), $refunds));
            $wish = self::wish($order, $checkout['sourceAmountReceived'] ?? '', $amount);
            $key = 'woocommerce-' . Settings::shop() . "-refund-$newest";
            $refund = $client->refunds->create(['checkoutId' => $checkoutId, ...$wish], ['idempotencyKey' => $key]);
            self::note($order, $refund);
            self::tellCreated($order, $refund, $reason);
            return $refund;
        });
    }

    /** Asks how far it is, and says so beside the order. */
    public static function follow(int $orderId, string $refundId): void
    {
        OrderLock::hold($orderId, static function () use ($orderId, $refundId): void {
            $order = OrderLock::fresh($orderId);
            if ($order === null) {
                return;
            }
            $refund = Settings::read()->client()->refunds->get($refundId);
            if (!in_array($refund->checkoutId, OrderSettler::checkoutsOf($order), true)) {
                Log::info("refund $refundId is of no checkout of order $orderId");
                return;
            }
            $before = self::notedOf($order)[$refundId]['state'] ?? null;
            self::note($order, $refund);
            if ($before !== $refund->state) {
                /* translators: 1: id of a refund, 2: its state, such as COMPLETED */
                $text = sprintf(__('Quittance: the refund %1$s is %2$s now.', 'quittance-for-woocommerce'), $refundId, $refund->state);
                $failure = $refund['failure'] ?? null;
                $order->add_order_note($failure === null ? $text : "$text $failure");
            }
            $order->save();
        });
    }

    /** @return array<string, array{state: string, amount: string, claimUrl: string|null}> by id */
    public static function notedOf(\WC_Order $order): array
    {
        $noted = $order->get_meta(self::NOTED);
        return is_array($noted) ? $noted : [];
    }

    /**
     * What is asked for: all that is left when the order is given back to its last cent, else the same part
     * of the coins as of the price.
     *
     * @return array<string, string>
     */
    private static function wish(\WC_Order $order, string $coins, string $amount): array
    {
        $decimals = wc_get_price_decimals();
        $units = static fn (mixed $value): int => Amount::units(wc_format_decimal($value, $decimals), $decimals);
        // The refund that asks is among those of the order already.
        if ($units($order->get_total_refunded()) === $units($order->get_total())) {
            return ['kind' => 'full'];
        }
        $share = Amount::share($coins, $units($amount), $units($order->get_total()));
        return ['kind' => 'amount', 'amount' => $share];
    }

    private static function note(\WC_Order $order, Refund $refund): void
    {
        $noted = self::notedOf($order);
        $noted[$refund->id] = [
            'state' => $refund->state,
            'amount' => "$refund->amount $refund->amountAssetCode",
            'claimUrl' => $refund['claimUrl'] ?? null,
        ];
        $order->update_meta_data(self::NOTED, $noted);
        $order->save();
    }

    private static function tellCreated(\WC_Order $order, Refund $refund, string $reason): void
    {
        /* translators: 1: amount with its unit, 2: id of a refund */
        $text = sprintf(__('Quittance: %1$s are given back (refund %2$s).', 'quittance-for-woocommerce'), "$refund->amount $refund->amountAssetCode", $refund->id);
        $order->add_order_note(trim("$text $reason"));
        $claimUrl = $refund['claimUrl'] ?? null;
        if ($claimUrl !== null) {
            /* translators: %s: web address */
            $words = __('Your refund is ready. Say where it is to be sent on this page: %s', 'quittance-for-woocommerce');
            $order->add_order_note(sprintf($words, $claimUrl), 1);
        }
    }
}
