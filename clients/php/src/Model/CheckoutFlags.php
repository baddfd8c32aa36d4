<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read CheckoutFlag|null $late Money came after the window was over.
 * @property-read CheckoutFlag|null $overpaid More came than was asked for: so much more.
 * @property-read CheckoutFlag|null $multiple It was paid again after it was completed.
 * @property-read CheckoutFlag|null $reversed The network took back money that had been credited.
 * @property-read CheckoutFlag|null $restored Money that the network had taken back is here again.
 * @property-read list<MisdirectedPayment>|null $misdirected Payments in another asset or on another network than asked.
 * @property-read CheckoutFlag|null $acceptedUnderpaid It was underpaid, and accepted with what arrived.
 * @property-read MisdirectedPayment|null $wrongNetwork A payment came on another network than asked.
 * @property-read CheckoutFlag|null $manual A person decided about its money.
 */
final class CheckoutFlags extends Record
{
    protected const FIELDS = [
        'late' => CheckoutFlag::class,
        'overpaid' => CheckoutFlag::class,
        'multiple' => CheckoutFlag::class,
        'reversed' => CheckoutFlag::class,
        'restored' => CheckoutFlag::class,
        'misdirected' => [MisdirectedPayment::class],
        'acceptedUnderpaid' => CheckoutFlag::class,
        'wrongNetwork' => MisdirectedPayment::class,
        'manual' => CheckoutFlag::class,
    ];
}
