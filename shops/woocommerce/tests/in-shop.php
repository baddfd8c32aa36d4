<?php

// php in-shop.php: what the plugin does inside WordPress and WooCommerce, over a service: each story buys, pays
// in the sandbox, and looks at the order. Ends with "N passed, N failed". Started by tests/main.mjs.

declare(strict_types=1);

use QuittanceWooCommerce\Gateway;
use QuittanceWooCommerce\OrderSettler;
use QuittanceWooCommerce\Payment;
use QuittanceWooCommerce\Settings;
use QuittanceWooCommerce\WebhookEndpoint;

$_SERVER['HTTP_HOST'] = parse_url((string) getenv('SHOP_URL'), PHP_URL_HOST) . ':' . parse_url((string) getenv('SHOP_URL'), PHP_URL_PORT);
require getenv('SHOP_FOLDER') . '/wp-load.php';
ini_set('display_errors', 'stderr');

$passed = 0;
$failed = 0;

function check(string $sentence, mixed $is, mixed $wanted = true): void
{
    global $passed, $failed;
    $is === $wanted ? $passed++ : $failed++;
    if ($is !== $wanted) {
        printf("FAILED  %s: %s, not %s\n", $sentence, json_encode($is), json_encode($wanted));
    }
}

function order(int $quantity = 1): WC_Order
{
    $order = wc_create_order(['created_via' => 'checkout']);
    $order->add_product(wc_get_product((int) getenv('SHOP_PRODUCT')), $quantity);
    $fee = new WC_Order_Item_Fee();
    $fee->set_name('Wrapping');
    $fee->set_total('0.333');
    $fee->set_tax_status('none');
    $order->add_item($fee);
    $order->set_billing_country('DE');
    $order->set_shipping_country('DE');
    $order->set_payment_method(Gateway::ID);
    $order->calculate_totals();
    $order->save();
    return $order;
}

function start(WC_Order $order): string
{
    Payment::start($order->get_id());
    $known = OrderSettler::checkoutsOf(wc_get_order($order->get_id()));
    return (string) end($known);
}

function client(): QuittanceWooCommerce\Client\Quittance
{
    return Settings::read()->client();
}

/** Pays it in the sandbox, to the end unless it is to stay unconfirmed. */
function pay(string $checkoutId, ?string $amount = null, bool $isMined = true, string $network = 'LITECOIN'): void
{
    client()->checkout->commit($checkoutId, ['network' => $network]);
    client()->sandbox->pay(array_filter(['checkoutId' => $checkoutId, 'network' => $network, 'amount' => $amount]));
    if ($isMined) {
        client()->sandbox->mine(['network' => $network, 'blocks' => 12]);
    }
    $states = $amount !== null ? 'UNDERPAID' : ($isMined ? 'COMPLETED' : 'PENDING');
    client()->checkout->waitUntil($checkoutId, $states, 60);
}

function status(WC_Order $order): string
{
    return QuittanceWooCommerce\OrderLock::fresh($order->get_id())->get_status();
}

function notes(WC_Order $order, string $part): int
{
    $notes = wc_get_order_notes(['order_id' => $order->get_id()]);
    return count(array_filter($notes, static fn (object $note): bool => str_contains($note->content, $part)));
}

/**
 * A webhook as the service sends it; `$change` may spoil it.
 *
 * @param array<string, mixed> $data
 * @return array{int, string}
 */
function webhook(array $data, array $change = []): array
{
    $settings = Settings::read();
    $event = ['id' => $change['id'] ?? 'abcdefgh0123', 'eventType' => 'CHECKOUT_COMPLETED', 'sequence' => 7, 'apiVersion' => '1', 'created' => gmdate('c'), 'data' => $data];
    $body = (string) json_encode($event);
    $at = (string) ($change['at'] ?? time());
    $key = base64_decode(substr($change['webhookSecret'] ?? $settings->webhookSecret, 6));
    $signature = base64_encode(hash_hmac('sha256', "{$event['id']}.$at.$body", $key, true));
    $headers = [
        'webhook-id' => $event['id'],
        'webhook-timestamp' => $at,
        'webhook-signature' => "v1,$signature",
        'x-webhook-auth' => hash('sha256', ($change['secret'] ?? $settings->secret) . $body),
    ];
    $sent = array_diff_key($headers, array_flip($change['without'] ?? []));
    return WebhookEndpoint::answer($change['body'] ?? $body, $sent);
}

/** @return array<string, mixed> */
function of(WC_Order $order, string $checkoutId, array $more = []): array
{
    $meta = ['order' => (string) $order->get_id(), 'shop' => Settings::shop()];
    return ['checkout' => ['id' => $checkoutId, 'state' => 'COMPLETED', 'meta' => $meta, ...$more]];
}

foreach (glob(__DIR__ . '/stories/*.php') as $story) {
    $began = microtime(true);
    require $story;
    printf("    %s (%.1f s)\n", basename($story, '.php'), microtime(true) - $began);
}
echo "$passed passed, $failed failed\n";
exit($failed === 0 ? 0 : 1);
