<?php

// What needs no WordPress: amounts, and what a checkout makes of an order. Ends with "N passed, N failed".

declare(strict_types=1);

use QuittanceWooCommerce\Amount;
use QuittanceWooCommerce\Decision;

foreach (['Amount', 'Decision'] as $name) {
    require (getenv('QUITTANCE_PLUGIN') ?: dirname(__DIR__)) . "/src/$name.php";
}

$passed = 0;
$failed = 0;

function check(string $sentence, mixed $is, mixed $wanted): void
{
    global $passed, $failed;
    if ($is === $wanted) {
        $passed++;
        return;
    }
    $failed++;
    printf("FAILED  %s: %s, not %s\n", $sentence, json_encode($is), json_encode($wanted));
}

function refused(string $sentence, callable $act): void
{
    try {
        $act();
        check($sentence, 'taken', 'refused');
    } catch (InvalidArgumentException) {
        check($sentence, 'refused', 'refused');
    }
}

check('19.90 is 19.9', Amount::isSame('19.90', '19.9'), true);
check('0019.9 is 19.90', Amount::isSame('0019.9', '19.90'), true);
check('19.90 is not 19.91', Amount::isSame('19.90', '19.91'), false);
check('-0 is 0', Amount::isSame('-0.00', '0'), true);
check('a long amount differs in its last digit', Amount::isSame('1.00000000000000001', '1'), false);
check('an amount in cents', Amount::units('19.9', 2), 1990);
check('an amount below zero in cents', Amount::units('-0.05', 2), -5);
check('an amount of a currency without cents', Amount::units('1500', 0), 1500);
check('cents as text', Amount::text(5, 2), '0.05');
check('cents below zero as text', Amount::text(-1990, 2), '-19.90');
check('whole units as text', Amount::text(1500, 0), '1500');
foreach (['', 'abc', '1,5', '1e3', ' 1', "1\n", '--1', '0x1', 'NaN', '.5'] as $text) {
    refused("no amount: $text", static fn () => Amount::units($text, 2));
}
refused('a part of a cent', static fn () => Amount::units('1.005', 2));
refused('more than an integer holds', static fn () => Amount::units('999999999999999999', 2));
check('half of the coins', Amount::share('0.30000000', 995, 1990), '0.15');
check('a third is rounded down', Amount::share('1.00000000', 1, 3), '0.33333333');
check('all of it', Amount::share('0.30123456', 1990, 1990), '0.30123456');
check('coins with eighteen decimals', Amount::share('12345.678901234567890123', 1, 2), '6172.839450617283945061');
check('less than the smallest coin is nothing', Amount::share('0.00000001', 1, 2), '0');
check('coins without decimals', Amount::share('21000', 1, 2), '10500');
refused('more than all', static fn () => Amount::share('1', 3, 2));
refused('less than nothing', static fn () => Amount::share('1', -1, 2));
refused('of nothing', static fn () => Amount::share('1', 0, 0));

/** @return array{string, string|null, bool}|null */
function decide(string $noted, string $status, string $state, bool $isReversed = false, bool $isAsked = true): ?array
{
    $said = ['state' => $state, 'isReversed' => $isReversed, 'isAsked' => $isAsked];
    $decision = Decision::of($noted, $status, $said);
    return $decision === null ? null : [$decision->stage, $decision->status, $decision->completes];
}

check('a new checkout changes nothing', decide('', 'pending', 'AWAITING_PAYMENT'), null);
check('a payment that is seen holds the order', decide('', 'pending', 'PENDING'), ['seen', 'on-hold', false]);
check('the same again changes nothing', decide('seen', 'on-hold', 'PENDING'), null);
check('too little holds the order', decide('seen', 'on-hold', 'UNDERPAID'), ['underpaid', null, false]);
check('a paid order is complete', decide('', 'pending', 'COMPLETED'), ['paid', null, true]);
check('also after a hold', decide('seen', 'on-hold', 'COMPLETED'), ['paid', null, true]);
check('also late', decide('expired', 'failed', 'COMPLETED'), ['paid', null, true]);
check('twice is once', decide('paid', 'processing', 'COMPLETED'), null);
foreach (['PENDING', 'UNDERPAID', 'EXPIRED', 'CANCELLED', 'AWAITING_PAYMENT', 'NEW'] as $state) {
    check("a paid order never goes back to $state", decide('paid', 'processing', $state), null);
    check("a reversed one neither to $state", decide('reversed', 'on-hold', $state), null);
}
check('not in time', decide('', 'pending', 'EXPIRED'), ['expired', 'failed', false]);
check('a payment that is gone', decide('seen', 'on-hold', 'AWAITING_PAYMENT'), ['open', 'pending', false]);
check('cancelled by the customer', decide('', 'pending', 'CANCELLED'), ['cancelled', null, false]);
check('cancelled after a hold', decide('seen', 'on-hold', 'CANCELLED'), ['cancelled', 'pending', false]);
check('money for a cancelled order waits for a person', decide('', 'cancelled', 'COMPLETED'), ['paid-too', 'on-hold', false]);
check('and is told once', decide('paid-too', 'on-hold', 'COMPLETED'), null);
check('an order that was paid otherwise stays', decide('', 'processing', 'COMPLETED'), ['paid-too', null, false]);
check('a refunded order stays', decide('', 'refunded', 'COMPLETED'), ['paid-too', null, false]);
check('another amount pays nothing', decide('', 'pending', 'COMPLETED', isAsked: false), ['mismatch', 'on-hold', false]);
check('another amount leaves a shipped order', decide('', 'completed', 'COMPLETED', isAsked: false), ['mismatch', null, false]);
check('money that is taken back holds the order', decide('paid', 'processing', 'COMPLETED', true), ['reversed', 'on-hold', false]);
check('also a shipped one', decide('paid', 'completed', 'COMPLETED', true), ['reversed', 'on-hold', false]);
check('not a refunded one', decide('paid', 'refunded', 'COMPLETED', true), ['reversed', null, false]);
check('money that came back pays again', decide('reversed', 'on-hold', 'COMPLETED'), ['paid', null, true]);
check('a state of a later version changes nothing', decide('', 'pending', 'DREAMING'), null);

echo "$passed passed, $failed failed\n";
exit($failed === 0 ? 0 : 1);
