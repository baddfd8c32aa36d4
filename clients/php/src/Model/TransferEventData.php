<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Transfer $transfer The transfer as it stands.
 */
final class TransferEventData extends Record
{
    protected const FIELDS = [
        'transfer' => Transfer::class,
    ];
}
