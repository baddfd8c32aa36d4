<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $network Which simulated network; blocks come on all of them unless given.
 * @property-read int|null $depth How many are undone, 1 to 30; 1 unless given.
 * @property-read string|null $checkoutId Id of the checkout.
 * @property-read string|null $depositAddressId Id of the deposit address.
 * @property-read int|null $blocks How many come, 1 to 100; 1 unless given.
 */
final class SandboxBlocks extends Record
{
}
