<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $state Whether it is followed.
 * @property-read string $assetId Id of the asset, such as `LTC:NATIVE`.
 * @property-read string|null $threshold Least of the balance with which it is followed, in whole coins; null where none was given.
 * @property-read string $keep What stays in the balance, in whole coins.
 * @property-read SettlementSchedule|null $schedule When it is followed; null: whenever `threshold` is reached.
 * @property-read string|null $convertTo Id of the asset that it is converted to; null without conversion.
 * @property-read string|null $network Id of the network that it is sent on; null where it stays in the balance.
 * @property-read string|null $beneficiaryId Who gets it; null where it stays in the balance.
 * @property-read string|null $nextTime When it is looked at next, UTC; null of one that is paused.
 * @property-read string $createdBy Who made it: `key` and its id, or a person.
 * @property-read string $timestamp When it was made, UTC.
 */
final class SettlementRule extends Record
{
    protected const FIELDS = [
        'schedule' => SettlementSchedule::class,
    ];
}
