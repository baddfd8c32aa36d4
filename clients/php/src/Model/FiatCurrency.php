<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $assetCode Such as `EUR`.
 * @property-read string $assetName Name, to be shown.
 */
final class FiatCurrency extends Record
{
}
