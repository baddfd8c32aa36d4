<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read int $seconds For how long its node is silent: 0 to 86,400.
 */
final class SandboxFreeze extends Record
{
}
