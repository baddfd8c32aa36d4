<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $asset Id of an asset, such as `LTC:NATIVE`.
 * @property-read string|null $threshold Least of the balance with which it is followed, in whole coins, above `keep`; needed unless `schedule` is given.
 * @property-read string|null $keep What stays in the balance, in whole coins; 0 unless given.
 * @property-read SettlementSchedule|null $schedule When it is followed; unless given, whenever `threshold` is reached.
 * @property-read string|null $convertTo Id of the asset that it is converted to; needed unless `targetAccount` is given.
 * @property-read string|null $network Id of the network that it is sent on; with `targetAccount` alone.
 * @property-read string|null $targetAccount Id or label of the beneficiary that gets it; with `network` alone.
 */
final class CreateSettlementRuleRequest extends Record
{
    protected const FIELDS = [
        'schedule' => SettlementSchedule::class,
    ];
}
