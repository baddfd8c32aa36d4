<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $assetId Id of the asset, such as `LTC:NATIVE`.
 * @property-read string $amount In whole coins of the asset, as a decimal text.
 * @property-read string $transaction Hash of the transaction on the simulated network.
 */
final class SandboxPayment extends Record
{
}
