<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Suspense $suspense Money that came and is not credited.
 */
final class SuspenseEventData extends Record
{
    protected const FIELDS = [
        'suspense' => Suspense::class,
    ];
}
