<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $network Network, such as `LITECOIN`.
 * @property-read string|null $asset Id of the asset; needed where the network has several.
 * @property-read string $amount In whole coins of the asset, above zero.
 * @property-read string $targetAccount Id or label of a beneficiary.
 */
final class CreateTransferRequest extends Record
{
}
