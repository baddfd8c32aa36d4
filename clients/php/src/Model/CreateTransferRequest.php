<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string|null $asset Id of the asset; the first of `assets` of the network unless given.
 * @property-read string $amount What is taken from the balance, in whole coins, above zero: the fee of the network goes off it.
 * @property-read string $targetAccount Id or label of a beneficiary.
 */
final class CreateTransferRequest extends Record
{
}
