<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $label Your own name for it; no two have the same.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read BeneficiaryAccount $account Where to, by the fields that its network needs.
 * @property-read string $timestamp When it was made, UTC.
 * @property-read string $usableTime From then on it can be paid, UTC.
 */
final class Beneficiary extends Record
{
    protected const FIELDS = [
        'account' => BeneficiaryAccount::class,
    ];
}
