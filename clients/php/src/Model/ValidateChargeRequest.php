<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Charge $charge Checked and added up; nothing is created.
 */
final class ValidateChargeRequest extends Record
{
    protected const FIELDS = [
        'charge' => Charge::class,
    ];
}
