<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $description How it is sent, up to 200 characters.
 * @property-read string $netAmount Net cost, in the billing currency.
 * @property-read bool|null $taxable Whether taxes are taken of it too; false unless given.
 */
final class ShippingCostItem extends Record
{
}
