<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $description What for, up to 200 characters.
 * @property-read string $netAmount Taken off the sum, in the billing currency.
 */
final class DiscountItem extends Record
{
}
