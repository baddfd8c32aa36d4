<?php

// What stands behind the button: makes an order and its checkout, redirects, takes webhooks, and ships when the
// service says that this checkout of this order is paid. `php -S 127.0.0.1:3000 shop.php`

declare(strict_types=1);

use Quittance\Exception\WebhookVerificationError;
use Quittance\Quittance;
use Quittance\Webhooks;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/orders.php';

$orders = new Orders(getenv('SHOP_DATABASE') ?: __DIR__ . '/orders.db');
$quittance = new Quittance(getenv('QUITTANCE_KEY'), getenv('QUITTANCE_SECRET'), getenv('QUITTANCE_URL'));
$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

match (true) {
    $path === '/' => readfile(__DIR__ . '/index.html'),
    $path === '/buy' && $_SERVER['REQUEST_METHOD'] === 'POST' => buy($orders, $quittance),
    $path === '/quittance' && $_SERVER['REQUEST_METHOD'] === 'POST' => receive($orders, $quittance),
    $path === '/thanks' => thank($orders, $quittance, (string) ($_GET['order'] ?? '')),
    str_starts_with($path, '/orders/') => show($orders, substr($path, strlen('/orders/'))),
    default => say(404, 'There is no such page.'),
};

function buy(Orders $orders, Quittance $quittance): void
{
    $shop = getenv('SHOP_URL');
    $number = $orders->open('19.90', 'EUR');
    $checkout = $quittance->checkout->createHosted([
        'charge' => [
            'billingCurrency' => 'EUR',
            'lineItems' => [['description' => 'A good book', 'netAmount' => '19.90']],
        ],
        'pageSettings' => ['returnUrl' => "$shop/thanks?order=$number", 'cancelUrl' => $shop],
        'webhook' => "$shop/quittance",
        'meta' => ['order' => $number],
        // A request that is sent twice makes one checkout.
    ], ['idempotencyKey' => "order-$number"]);
    $orders->noteCheckout($number, $checkout->id);
    header("Location: $checkout->url", true, 303);
}

function receive(Orders $orders, Quittance $quittance): void
{
    try {
        // The bytes as they came: JSON that is parsed and written again is another text.
        $body = (string) file_get_contents('php://input');
        $event = Webhooks::verify($body, getallheaders(), (string) getenv('QUITTANCE_WEBHOOK_SECRET'));
    } catch (WebhookVerificationError $error) {
        say(400, (string) $error->errorCode);
        return;
    }
    $checkoutId = $event['data']['checkout']['id'] ?? null;
    $order = is_string($checkoutId) ? $orders->findByCheckout($checkoutId) : null;
    if ($order !== null) {
        settle($orders, $quittance, $order);
    }
    http_response_code(204);
}

/** Anybody can open this address: what it says is what the service says. */
function thank(Orders $orders, Quittance $quittance, string $number): void
{
    $order = $orders->find($number);
    if ($order === null) {
        say(404, 'There is no such order.');
        return;
    }
    settle($orders, $quittance, $order);
    $isPaid = $orders->find($number)['state'] === 'paid';
    say(200, $isPaid ? 'Thank you. Your book is on its way.' : 'We wait for your payment.');
}

function show(Orders $orders, string $number): void
{
    $order = $orders->find($number);
    header('content-type: application/json');
    http_response_code($order === null ? 404 : 200);
    echo json_encode($order === null ? ['error' => 'no such order'] : ['order' => $number, 'state' => $order['state']]);
}

/**
 * Asks the service about the checkout that the shop itself noted: a webhook is only a hint.
 *
 * @param array{number: string, checkout_id: ?string, total: string, currency: string, state: string} $order
 */
function settle(Orders $orders, Quittance $quittance, array $order): void
{
    if ($order['state'] === 'paid' || $order['checkout_id'] === null) {
        return;
    }
    $checkout = $quittance->checkout->get($order['checkout_id']);
    $isForThis = exact($checkout->total) === exact($order['total'])
        && $checkout->billingCurrency === $order['currency'];
    if ($checkout->state === 'COMPLETED' && $isForThis && $orders->markPaid($order['number'])) {
        error_log("ship order {$order['number']}");
    }
}

/** The service writes 19.90 as 19.9. */
function exact(string $amount): string
{
    return str_contains($amount, '.') ? rtrim(rtrim($amount, '0'), '.') : $amount;
}

function say(int $status, string $text): void
{
    http_response_code($status);
    header('content-type: text/plain; charset=utf-8');
    echo $text;
}
