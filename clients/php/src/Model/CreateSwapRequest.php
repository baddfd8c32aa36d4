<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $sourceAsset Id of the asset that is given.
 * @property-read string $targetAsset Id of the asset that is got.
 * @property-read string|null $sourceAmount What is given, in whole coins; either this or `targetAmount`.
 * @property-read string|null $targetAmount What is got, in whole coins; either this or `sourceAmount`.
 */
final class CreateSwapRequest extends Record
{
}
