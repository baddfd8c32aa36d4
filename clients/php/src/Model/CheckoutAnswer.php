<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Checkout $checkout The checkout as it stands.
 */
final class CheckoutAnswer extends Record
{
    protected const FIELDS = [
        'checkout' => Checkout::class,
    ];
}
