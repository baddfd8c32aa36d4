<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<FiatCurrency> $fiatCurrencies Those that charges can be in.
 */
final class FiatCurrencyList extends Record
{
    protected const FIELDS = [
        'fiatCurrencies' => [FiatCurrency::class],
    ];
}
