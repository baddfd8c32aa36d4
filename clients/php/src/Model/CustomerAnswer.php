<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Customer $customer The customer.
 */
final class CustomerAnswer extends Record
{
    protected const FIELDS = [
        'customer' => Customer::class,
    ];
}
