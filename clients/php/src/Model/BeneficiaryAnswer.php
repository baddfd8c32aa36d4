<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Beneficiary $beneficiary The beneficiary.
 */
final class BeneficiaryAnswer extends Record
{
    protected const FIELDS = [
        'beneficiary' => Beneficiary::class,
    ];
}
