<?php

// From an order to paid: one checkout however often it is asked for, and the same total to the cent.

use QuittanceWooCommerce\Amount;
use QuittanceWooCommerce\OrderSettler;
use QuittanceWooCommerce\OrderWatch;

$order = order(3);
$checkoutId = start($order);
check('the button pressed again opens the same checkout', start($order), $checkoutId);
check('and notes it once', count(OrderSettler::checkoutsOf(wc_get_order($order->get_id()))), 1);
$checkout = client()->checkout->get($checkoutId);
check('the total is that of the order', Amount::isSame($checkout->total, $order->get_total()));
check('in its currency', $checkout->billingCurrency, 'EUR');
check('a line for each item', $checkout->payload->charge->lineItems[0]->description, '3 × A good book & a pen');
check('with a webhook of this shop', str_contains((string) $checkout->payload->webhook, 'wc-api'));
check('a look is planned', as_has_scheduled_action(OrderWatch::ACTION));
check('nothing is paid yet', OrderSettler::settle($order->get_id()), '');
pay($checkoutId, isMined: false);
OrderSettler::settle($order->get_id());
check('a payment that is seen holds it', status($order), 'on-hold');
client()->sandbox->mine(['network' => 'LITECOIN', 'blocks' => 12]);
client()->checkout->waitUntil($checkoutId, 'COMPLETED', 60);
check('paid', OrderSettler::settle($order->get_id()), 'paid');
check('the order is processing', status($order), 'processing');
check('with the checkout as its transaction', wc_get_order($order->get_id())->get_transaction_id(), $checkoutId);
OrderSettler::settle($order->get_id());
OrderWatch::check($order->get_id(), 0);
check('told once', notes($order, 'Quittance: paid with'), 1);
check('the stock went down once', wc_get_product((int) getenv('SHOP_PRODUCT'))->get_stock_quantity() <= 97);

$changed = order();
$first = start($changed);
$changed = wc_get_order($changed->get_id());
$changed->set_total('50');
$changed->save();
$second = start($changed);
check('an order that asks for more gets another checkout', $first !== $second);
pay($first);
OrderSettler::settle($changed->get_id(), $first);
check('the first one does not pay it', status($changed), 'on-hold');
check('and a person is told', notes($changed, 'Look at it before you ship'), 1);
pay($second);
OrderSettler::settle($changed->get_id());
check('the second one does', status($changed), 'processing');
