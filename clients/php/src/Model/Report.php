<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $name Which report.
 * @property-read string|null $from Begin of the period, included, UTC; null from the beginning.
 * @property-read string|null $to End of the period, not included, UTC; null to the end.
 * @property-read list<mixed> $rows Oldest first: texts by the name of their column; null where nothing applies.
 */
final class Report extends Record
{
}
