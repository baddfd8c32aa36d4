<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<Currency> $currencies Every currency that is known here.
 */
final class CurrencyList extends Record
{
    protected const FIELDS = [
        'currencies' => [Currency::class],
    ];
}
