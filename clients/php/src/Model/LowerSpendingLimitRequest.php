<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $kind Which of the limits.
 * @property-read string $measure Id of an asset, or a currency.
 * @property-read string|int|float|string $amount The new limit, not above the old one: in whole coins, or in the currency.
 */
final class LowerSpendingLimitRequest extends Record
{
}
