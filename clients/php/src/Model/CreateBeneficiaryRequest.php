<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read BeneficiaryFields $beneficiary Who may be sent money to.
 */
final class CreateBeneficiaryRequest extends Record
{
    protected const FIELDS = [
        'beneficiary' => BeneficiaryFields::class,
    ];
}
