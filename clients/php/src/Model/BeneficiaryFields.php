<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $label Your own name for it, up to 200 characters; each is there once.
 * @property-read string $network Id of a network of `GET /networks` with `transfers`.
 * @property-read BeneficiaryAccount $account Where to: which fields are needed depends on the network.
 */
final class BeneficiaryFields extends Record
{
    protected const FIELDS = [
        'account' => BeneficiaryAccount::class,
    ];
}
