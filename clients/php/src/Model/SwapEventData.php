<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Swap $swap The swap as it stands.
 */
final class SwapEventData extends Record
{
    protected const FIELDS = [
        'swap' => Swap::class,
    ];
}
