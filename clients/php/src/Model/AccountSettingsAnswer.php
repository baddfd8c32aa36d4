<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read AccountSettings $accountSettings As they are now.
 */
final class AccountSettingsAnswer extends Record
{
    protected const FIELDS = [
        'accountSettings' => AccountSettings::class,
    ];
}
