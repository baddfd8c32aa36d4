<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string|null $asset Id of the asset; the first of `assets` of the network unless given.
 * @property-read string|null $label Your own name for it, up to 200 characters.
 * @property-read string|null $webhook Address, http or https, that is told of its payments.
 * @property-read Record|null $meta Your own data, up to 16 KiB of JSON: comes back in answers and webhooks.
 */
final class CreateDepositAddressRequest extends Record
{
}
