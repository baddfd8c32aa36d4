<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $every How often.
 * @property-read int|null $day Day of the week (1 is Monday) or of the month; none of a daily one.
 * @property-read int $hour From 0 to 23, in the time zone.
 * @property-read string $zone Time zone, such as `Europe/Berlin`.
 */
final class SettlementSchedule extends Record
{
}
