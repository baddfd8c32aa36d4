<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read CustomerChange $customer What is absent stays; null clears.
 */
final class UpdateCustomerRequest extends Record
{
    protected const FIELDS = [
        'customer' => CustomerChange::class,
    ];
}
