<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $kind What it bounds: `DAY` what leaves in 24 hours, `TWO_PEOPLE` and `COOL_DOWN` one payment.
 * @property-read string $measure Id of an asset, of which so much; or a currency, of all assets so much in value.
 * @property-read string $amount In whole coins of the asset, or in the currency.
 * @property-read string|null $left What may still be sent now: of a `DAY`; null of others, and where it has no price right now. Not in requests.
 */
final class SpendingLimit extends Record
{
}
