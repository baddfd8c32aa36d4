<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $amount In whole coins of the asset, as a decimal text.
 * @property-read string $assetCode Code of the asset that `amount` is in.
 */
final class FlagSum extends Record
{
}
