<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $state The state it came to.
 * @property-read string $timestamp When, UTC.
 */
final class CheckoutStateChange extends Record
{
}
