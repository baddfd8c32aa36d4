<?php

// What is forged, replayed, of another order or of another shop is not believed.

use QuittanceWooCommerce\Settings;
use QuittanceWooCommerce\WebhookEndpoint;

$order = order();
$checkoutId = start($order);
$other = order();
$otherId = start($other);
$data = of($order, $checkoutId);
$wrong = 'whsec_' . base64_encode(str_repeat('x', 32));
check('another secret of webhooks', webhook($data, ['webhookSecret' => $wrong])[0], 400);
check('another secret of the key', webhook($data, ['secret' => 'of another key entirely'])[0], 400);
check('without the first signature', webhook($data, ['without' => ['webhook-signature']])[0], 400);
check('without the second signature', webhook($data, ['without' => ['x-webhook-auth']])[0], 400);
check('another body', webhook($data, ['body' => '{}'])[0], 400);
check('an hour old', webhook($data, ['at' => time() - 3600])[0], 400);
check('an hour ahead', webhook($data, ['at' => time() + 3600])[0], 400);
check('no body at all', WebhookEndpoint::answer('', [])[0], 400);
check('too long', WebhookEndpoint::answer(str_repeat('x', 1_000_001), [])[0], 413);
check('rightly signed by whoever has the secrets', webhook($data)[0], 200);
check('and yet nothing is paid', status($order), 'pending');
foreach ([[], ['checkout' => 'text'], ['checkout' => []], ['checkout' => ['id' => $checkoutId]], ['checkout' => ['id' => 7, 'meta' => ['order' => 1]]]] as $odd) {
    check('an odd one: ' . json_encode($odd), webhook($odd), [200, 'nothing of this shop']);
}
foreach (['0', '-1', '1e3', '01', 'x', '99999999999999999999'] as $number) {
    $odd = of($order, $checkoutId, ['meta' => ['order' => $number, 'shop' => Settings::shop()]]);
    check("order $number", webhook($odd), [200, 'nothing of this shop']);
}
check('another shop', webhook(of($order, $checkoutId, ['meta' => ['order' => (string) $order->get_id(), 'shop' => 'x']]))[1], 'nothing of this shop');
pay($otherId);
check('a paid checkout of another order', webhook(of($order, $otherId))[0], 200);
check('pays nothing here', status($order), 'pending');
check('its own webhook pays the other', webhook(of($other, $otherId))[0], 200);
check('once', status($other), 'processing');
check('a replay', webhook(of($other, $otherId))[0], 200);
check('changes nothing', notes($other, 'Quittance: paid with'), 1);
foreach ([['EUR', '1.00'], ['USD', $order->get_total()]] as [$currency, $amount]) {
    $made = client()->checkout->createHosted([
        'charge' => ['billingCurrency' => $currency, 'lineItems' => [['description' => 'Less', 'netAmount' => $amount]]],
        'meta' => ['order' => (string) $order->get_id(), 'shop' => Settings::shop()],
    ]);
    pay($made->id);
    webhook(of($order, $made->id));
    check("a checkout over $amount $currency that names the order", status($order), 'pending');
}
$order->set_status('cancelled');
$order->save();
pay($checkoutId);
check('money for a cancelled order', webhook($data)[0], 200);
check('waits for a person', status($order), 'on-hold');
