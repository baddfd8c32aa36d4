<?php

// A checkout on the page of the service, paid in the sandbox.

declare(strict_types=1);

require getenv('QUITTANCE_AUTOLOAD') ?: __DIR__ . '/../vendor/autoload.php';

$quittance = new Quittance\Quittance(
    key: getenv('QUITTANCE_KEY'),
    secret: getenv('QUITTANCE_SECRET'),
    baseUrl: getenv('QUITTANCE_URL'),
);

$checkout = $quittance->checkout->createHosted([
    'charge' => [
        'billingCurrency' => 'EUR',
        'lineItems' => [['description' => 'A good book', 'netAmount' => '19.90']],
    ],
    'pageSettings' => ['returnUrl' => 'https://shop.example/thanks'],
    'meta' => ['order' => '1042'],
]);
echo "Send the buyer to {$checkout->url}\n";

// With a test key you can be the buyer.
$paid = $quittance->sandbox->payAndConfirm($checkout->id, ['network' => 'LITECOIN']);
echo "{$paid->state}: {$paid->total} {$paid->billingCurrency} for order {$paid->meta->order}\n";
