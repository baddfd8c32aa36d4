<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $network Which simulated network; all unless given.
 * @property-read int|null $blocks 1 to 100; 1 unless given.
 * @property-read string|null $checkoutId Id of the checkout.
 * @property-read string|null $depositAddressId Id of the deposit address.
 */
final class SandboxMineRequest extends Record
{
}
