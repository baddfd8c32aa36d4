<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Such as `LITECOIN`.
 * @property-read string $nativeAssetCode Code of its own coin.
 * @property-read string $nativeAssetName Name of its own coin.
 */
final class Blockchain extends Record
{
}
