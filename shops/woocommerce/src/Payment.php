<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Exception\NotFoundError;
use QuittanceWooCommerce\Client\Quittance;

/**
 * The payment page of an order. Guarantees: as long as the order asks for the same, it is the same checkout,
 * however often the customer presses the button; the name of each request is made of what it asks for.
 */
final class Payment
{
    /** @return string the address of the payment page */
    public static function start(int $orderId): string
    {
        $url = OrderLock::hold($orderId, static function () use ($orderId): string {
            $order = OrderLock::fresh($orderId) ?? throw new \RuntimeException('the order is gone');
            $client = Settings::read()->client();
            return self::open($client, $order) ?? self::create($client, $order);
        });
        OrderWatch::after($orderId, 0);
        return $url;
    }

    /** The page of the newest checkout, where that still asks for the same and can still be paid. */
    private static function open(Quittance $client, \WC_Order $order): ?string
    {
        $known = OrderSettler::checkoutsOf($order);
        if ($known === []) {
            return null;
        }
        try {
            $checkout = $client->checkout->get(end($known));
        } catch (NotFoundError) {
            // Another installation or account was set up since.
            return null;
        }
        $isSame = $checkout->billingCurrency === $order->get_currency()
            && Amount::isSame($checkout->total, OrderCharge::totalOf($order));
        return $isSame && $checkout->state !== 'CANCELLED' ? $checkout->hostedCheckoutUrl : null;
    }

    private static function create(Quittance $client, \WC_Order $order): string
    {
        $request = self::requestOf($order);
        $attempt = count(OrderSettler::checkoutsOf($order));
        $key = hash('sha256', Settings::shop() . "\n$attempt\n" . wp_json_encode($request));
        $checkout = $client->checkout->createHosted($request, ['idempotencyKey' => "woocommerce-$key"]);
        $order->add_meta_data(OrderSettler::CHECKOUTS, $checkout->id);
        $order->update_meta_data(OrderSettler::ADDRESS, $checkout->url);
        if (!Decision::isFinal((string) $order->get_meta(OrderSettler::STAGE))) {
            $order->update_meta_data(OrderSettler::STAGE, '');
        }
        $order->save();
        Log::info("order {$order->get_id()}: checkout $checkout->id");
        return $checkout->url;
    }

    /** @return array<string, mixed> */
    private static function requestOf(\WC_Order $order): array
    {
        return [
            'charge' => OrderCharge::of($order),
            'settlementAsset' => 'ORIGIN',
            'checkoutLanguage' => 'auto',
            'webhook' => WC()->api_request_url(Gateway::ID),
            'pageSettings' => [
                'returnUrl' => $order->get_checkout_order_received_url(),
                'cancelUrl' => $order->get_checkout_payment_url(),
            ],
            'meta' => ['order' => (string) $order->get_id(), 'shop' => Settings::shop()],
        ];
    }
}
