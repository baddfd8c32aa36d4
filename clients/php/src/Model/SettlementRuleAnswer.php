<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read SettlementRule $settlementRule The rule as it stands.
 * @property-read list<SettlementRun>|null $runs Of `GET /settlement-rule` alone: what it did in its last 50 periods, newest first.
 */
final class SettlementRuleAnswer extends Record
{
    protected const FIELDS = [
        'settlementRule' => SettlementRule::class,
        'runs' => [SettlementRun::class],
    ];
}
