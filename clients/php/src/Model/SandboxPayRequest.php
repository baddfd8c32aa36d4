<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $checkoutId Test checkout that is paid; either this or `depositAddressId`.
 * @property-read string|null $depositAddressId Test deposit address that is paid; `amount` is needed then.
 * @property-read string|null $network Where a checkout is not committed: the network that it is paid on.
 * @property-read string|null $asset Id of an asset of `GET /assets`, such as `LTC:NATIVE`.
 * @property-read string|null $inAsset Another asset of the network than the checkout asks for, sent to the same place; with `amount`
 * @property-read string|null $amount In whole coins; what is asked for unless given.
 * @property-read int|null $parts In so many payments, 1 to 20; 1 unless given.
 */
final class SandboxPayRequest extends Record
{
}
