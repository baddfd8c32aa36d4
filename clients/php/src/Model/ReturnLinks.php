<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $cancelUrl Where the customer goes who cancels; null where none was given.
 * @property-read string|null $returnUrl Where the customer goes after paying; null where none was given.
 */
final class ReturnLinks extends Record
{
}
