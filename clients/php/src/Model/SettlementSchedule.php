<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $every Each day, week or month.
 * @property-read int|null $day Of a week 1 to 7 (1 is Monday), of a month 1 to 31 (its last day where it is shorter); null or absent of a day.
 * @property-read int $hour From 0 to 23, in the time zone.
 * @property-read string $zone Time zone, such as `Europe/Berlin`.
 */
final class SettlementSchedule extends Record
{
}
