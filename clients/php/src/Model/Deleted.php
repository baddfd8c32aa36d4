<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $settlementRuleId Id of the rule that is no more.
 * @property-read string|null $webhookEndpointId Id of the receiver that gets nothing more.
 */
final class Deleted extends Record
{
}
