<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $assetId Id of the asset that the network takes it in.
 * @property-read string $amount In whole coins of that asset.
 */
final class GasFee extends Record
{
}
