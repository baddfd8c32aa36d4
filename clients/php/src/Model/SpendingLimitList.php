<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<SpendingLimit> $spendingLimits Every limit of the account.
 */
final class SpendingLimitList extends Record
{
    protected const FIELDS = [
        'spendingLimits' => [SpendingLimit::class],
    ];
}
