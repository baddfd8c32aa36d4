<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Deposit $deposit The payment to a deposit address.
 */
final class DepositEventData extends Record
{
    protected const FIELDS = [
        'deposit' => Deposit::class,
    ];
}
