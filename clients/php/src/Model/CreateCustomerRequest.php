<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read CustomerFields $customer Who is created.
 */
final class CreateCustomerRequest extends Record
{
    protected const FIELDS = [
        'customer' => CustomerFields::class,
    ];
}
