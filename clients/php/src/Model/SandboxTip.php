<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read int $height Height of the newest block.
 * @property-read string $hash Hash of the newest block.
 */
final class SandboxTip extends Record
{
}
