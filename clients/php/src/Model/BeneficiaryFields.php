<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $label Your own name for it, up to 200 characters; no two have the same.
 * @property-read string $network Id of a network of `GET /networks` with `transfers`.
 * @property-read BeneficiaryAccount $account Where to, by the fields that its network needs.
 */
final class BeneficiaryFields extends Record
{
    protected const FIELDS = [
        'account' => BeneficiaryAccount::class,
    ];
}
