<?php

declare(strict_types=1);

namespace App\Http;

use App\Order;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Str;
use Quittance\Exception\WebhookVerificationError;
use Quittance\Quittance;
use Quittance\Webhooks;

final class ShopController
{
    public function __construct(private readonly Quittance $quittance)
    {
    }

    public function book(): string
    {
        return '<form method="post" action="/buy"><button>A good book, 19.90 EUR</button></form>';
    }

    public function buy(): RedirectResponse
    {
        $shop = config('app.url');
        $number = (string) Str::uuid();
        $order = Order::create(['number' => $number, 'total' => '19.90', 'currency' => 'EUR', 'state' => 'open']);
        $checkout = $this->quittance->checkout->createHosted([
            'charge' => [
                'billingCurrency' => 'EUR',
                'lineItems' => [['description' => 'A good book', 'netAmount' => '19.90']],
            ],
            'pageSettings' => ['returnUrl' => "$shop/thanks?order=$number", 'cancelUrl' => $shop],
            'webhook' => "$shop/quittance",
            'meta' => ['order' => $number],
            // A request that is sent twice makes one checkout.
        ], ['idempotencyKey' => "order-$number"]);
        $order->update(['checkout_id' => $checkout->id]);
        return new RedirectResponse($checkout->url, 303);
    }

    public function receive(Request $request): Response
    {
        try {
            // The bytes as they came: JSON that is parsed and written again is another text.
            $event = Webhooks::verify(
                $request->getContent(),
                $request->headers->all(),
                config('quittance.webhook_secret'),
            );
        } catch (WebhookVerificationError $error) {
            return new Response($error->errorCode, 400);
        }
        $checkoutId = $event['data']['checkout']['id'] ?? null;
        $order = is_string($checkoutId) ? Order::where('checkout_id', $checkoutId)->first() : null;
        $order?->settle($this->quittance);
        return new Response('', 204);
    }

    /** Anybody can open this address: what it says is what the service says. */
    public function thanks(Request $request): Response
    {
        $order = Order::find((string) $request->query('order'));
        if ($order === null) {
            return new Response('There is no such order.', 404);
        }
        $order->settle($this->quittance);
        $isPaid = $order->refresh()->state === 'paid';
        return new Response($isPaid ? 'Thank you. Your book is on its way.' : 'We wait for your payment.');
    }

    public function show(string $number): JsonResponse
    {
        $order = Order::find($number);
        return $order === null
            ? new JsonResponse(['error' => 'no such order'], 404)
            : new JsonResponse(['order' => $number, 'state' => $order->state]);
    }
}
