<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read DepositAddress $depositAddress The deposit address.
 */
final class DepositAddressAnswer extends Record
{
    protected const FIELDS = [
        'depositAddress' => DepositAddress::class,
    ];
}
