<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $reason What was wrong; with `misdirected` alone.
 * @property-read string $network Id of the network that it came on.
 * @property-read string $amount In whole coins of the asset, as a decimal text.
 * @property-read string $assetCode Code of the asset that came.
 * @property-read string $tx Hash of the transaction on the network.
 */
final class MisdirectedPayment extends Record
{
}
