<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read FlagTime|null $late Money came after the window was over.
 * @property-read FlagSum|null $overpaid More came than was asked for: so much more.
 * @property-read FlagCount|null $multiple It was paid in several payments.
 * @property-read FlagSumAtTime|null $reversed The network took back money that had been credited.
 * @property-read FlagSumAtTime|null $restored Money that the network had taken back is here again.
 * @property-read list<MisdirectedPayment>|null $misdirected Payments in another asset or on another network than asked.
 * @property-read FlagTime|null $acceptedUnderpaid It was underpaid, and accepted with what arrived.
 * @property-read WrongNetworkPayment|null $wrongNetwork A payment came on another network than asked.
 * @property-read FlagTime|null $manual A person decided about its money.
 */
final class CheckoutFlags extends Record
{
    protected const FIELDS = [
        'late' => FlagTime::class,
        'overpaid' => FlagSum::class,
        'multiple' => FlagCount::class,
        'reversed' => FlagSumAtTime::class,
        'restored' => FlagSumAtTime::class,
        'misdirected' => [MisdirectedPayment::class],
        'acceptedUnderpaid' => FlagTime::class,
        'wrongNetwork' => WrongNetworkPayment::class,
        'manual' => FlagTime::class,
    ];
}
