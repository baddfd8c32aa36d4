<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $asset Asset, such as `LTC:NATIVE`.
 * @property-read string|null $threshold Followed above this balance, in whole coins; either this or `schedule`.
 * @property-read string|null $keep What stays in the balance, in whole coins; 0 unless given.
 * @property-read SettlementSchedule|null $schedule Followed at these times; either this or `threshold`.
 * @property-read string|null $convertTo Id of the asset that it is converted to.
 * @property-read string|null $network Network that it is sent on.
 * @property-read string|null $targetAccount Id or label of the beneficiary that gets it.
 */
final class CreateSettlementRuleRequest extends Record
{
    protected const FIELDS = [
        'schedule' => SettlementSchedule::class,
    ];
}
