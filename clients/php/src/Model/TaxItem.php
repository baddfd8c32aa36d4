<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $name Such as `VAT`, up to 200 characters.
 * @property-read string $percent As a fraction from 0 to 1: 8.25 percent is `0.0825`.
 */
final class TaxItem extends Record
{
}
