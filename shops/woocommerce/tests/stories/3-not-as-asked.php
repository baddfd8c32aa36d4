<?php

// Too little, too late, too much, taken back and restored.

use QuittanceWooCommerce\OrderLock;
use QuittanceWooCommerce\OrderSettler;
use QuittanceWooCommerce\OrderWatch;

$little = order();
$checkoutId = start($little);
pay($checkoutId, '0.001');
check('too little', OrderSettler::settle($little->get_id()), 'underpaid');
check('holds it', status($little), 'on-hold');
check('and says how much came', notes($little, '0.001 LTC'), 1);
client()->checkout->acceptUnderpaid($checkoutId);
OrderSettler::settle($little->get_id());
check('accepted in the dashboard, it is paid', status($little), 'processing');

$late = order();
$checkoutId = start($late);
client()->checkout->commit($checkoutId, ['network' => 'LITECOIN']);
client()->sandbox->expire($checkoutId);
client()->checkout->waitUntil($checkoutId, 'EXPIRED', 60);
check('not in time', OrderSettler::settle($late->get_id()), 'expired');
check('fails it, to be paid again', [status($late), wc_get_order($late->get_id())->needs_payment()], ['failed', true]);
check('by the same page', start($late), $checkoutId);
client()->sandbox->pay(['checkoutId' => $checkoutId, 'network' => 'LITECOIN']);
client()->sandbox->mine(['network' => 'LITECOIN', 'blocks' => 12]);
client()->checkout->waitUntil($checkoutId, 'COMPLETED', 60);
OrderSettler::settle($late->get_id());
check('late money completes it', status($late), 'processing');
check('and is told as late', notes($late, 'after the payment window'), 1);

$back = order();
$checkoutId = start($back);
pay($checkoutId);
OrderSettler::settle($back->get_id());
client()->sandbox->reorg('LITECOIN', ['depth' => 13, 'checkoutId' => $checkoutId]);
for ($tries = 0; $tries < 100 && !isset(client()->checkout->get($checkoutId)->flags->reversed); $tries++) {
    usleep(200_000);
}
check('taken back', OrderSettler::settle($back->get_id()), 'reversed');
check('holds it', status($back), 'on-hold');
check('and says so', notes($back, 'Do not ship'), 1);
client()->sandbox->pay(['checkoutId' => $checkoutId, 'network' => 'LITECOIN']);
client()->sandbox->mine(['network' => 'LITECOIN', 'blocks' => 12]);
for ($tries = 0; $tries < 100 && !isset(client()->checkout->get($checkoutId)->flags->restored); $tries++) {
    usleep(200_000);
}
check('money in its place', OrderSettler::settle($back->get_id()), 'paid');
check('lets it go on', status($back), 'processing');

$much = order();
$checkoutId = start($much);
client()->checkout->commit($checkoutId, ['network' => 'LITECOIN']);
client()->sandbox->pay(['checkoutId' => $checkoutId, 'network' => 'LITECOIN', 'amount' => '1.5']);
client()->sandbox->mine(['network' => 'LITECOIN', 'blocks' => 12]);
client()->checkout->waitUntil($checkoutId, 'COMPLETED', 60);
OrderSettler::settle($much->get_id());
OrderSettler::settle($much->get_id());
check('too much pays', status($much), 'processing');
check('and is told once', notes($much, 'more came than was asked for'), 1);

$cancelled = order();
$checkoutId = start($cancelled);
client()->checkout->cancel($checkoutId);
check('cancelled on the page', OrderSettler::settle($cancelled->get_id()), 'cancelled');
check('it can be paid in another way', wc_get_order($cancelled->get_id())->needs_payment());
check('with a new checkout', start($cancelled) !== $checkoutId);

$named = order();
foreach (['zzzzzzzzzzz0', 'aaaaaaaaaaa0', 'mmmmmmmmmmm0'] as $id) {
    $named->add_meta_data(OrderSettler::CHECKOUTS, $id);
    $named->save();
}
$known = OrderSettler::checkoutsOf(OrderLock::fresh($named->get_id()));
check('the newest checkout is the last, whatever it is called', $known, ['zzzzzzzzzzz0', 'aaaaaaaaaaa0', 'mmmmmmmmmmm0']);

$waiting = order();
$checkoutId = start($waiting);
check('an order that nobody paid may be given up', OrderWatch::mayCancel(true, wc_get_order($waiting->get_id())));
pay($checkoutId, isMined: false);
check('one that is being paid may not', OrderWatch::mayCancel(true, wc_get_order($waiting->get_id())), false);
check('it is held', status($waiting), 'on-hold');
