<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read ToldRefund $refund The refund as it stands.
 */
final class RefundEventData extends Record
{
    protected const FIELDS = [
        'refund' => ToldRefund::class,
    ];
}
