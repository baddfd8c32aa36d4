<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read int $minutes How many pass: 1 to 43,200, which is 30 days.
 */
final class SandboxAdvance extends Record
{
}
