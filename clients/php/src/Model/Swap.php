<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $state How far it is.
 * @property-read string $sourceAsset Id of the asset that is given.
 * @property-read string $sourceAmount What is given, in whole coins.
 * @property-read string $targetAsset Id of the asset that is got.
 * @property-read string $targetAmount What is got, in whole coins, after the fee.
 * @property-read string $exchangeRate How much of the target one of the source is, before the fee.
 * @property-read string $fee What the service keeps, in the target asset.
 * @property-read string $expirationTime Until then the quote can be committed, UTC.
 * @property-read string|null $failure Why, of a swap that failed; absent otherwise.
 */
final class Swap extends Record
{
}
