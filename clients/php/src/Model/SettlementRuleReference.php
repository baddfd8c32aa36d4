<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $settlementRuleId Id of the rule.
 */
final class SettlementRuleReference extends Record
{
}
