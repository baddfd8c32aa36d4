<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $beneficiaryId Id of the beneficiary.
 */
final class BeneficiaryReference extends Record
{
}
