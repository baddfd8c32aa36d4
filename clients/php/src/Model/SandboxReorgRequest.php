<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $network Id of a network of `GET /networks`, such as `LITECOIN`.
 * @property-read int|null $depth How many blocks are undone, 1 to 30; 1 unless given.
 * @property-read string|null $checkoutId Id of the checkout.
 * @property-read string|null $depositAddressId Id of the deposit address.
 */
final class SandboxReorgRequest extends Record
{
}
