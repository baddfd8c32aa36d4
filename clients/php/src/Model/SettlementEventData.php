<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read SettlementRule $settlementRule The rule as it stands.
 * @property-read SettlementRun $run The period that was skipped.
 */
final class SettlementEventData extends Record
{
    protected const FIELDS = [
        'settlementRule' => SettlementRule::class,
        'run' => SettlementRun::class,
    ];
}
