<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $description What it is, up to 200 characters.
 * @property-read string $netAmount Net price of one, in the billing currency; below zero for what is given back.
 * @property-read string|null $quantity How many, 1 unless given; not below zero, may be a fraction.
 * @property-read string|null $productId Your own number of it, up to 20 characters.
 */
final class LineItem extends Record
{
}
