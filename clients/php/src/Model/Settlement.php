<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $assetId Id of the asset that you are credited in.
 * @property-read string $amount Before the fee: in whole coins, as a decimal text.
 * @property-read string $netAmount What you are credited: `amount` less `fee`.
 * @property-read string $fee What the service keeps, in the same asset.
 */
final class Settlement extends Record
{
}
