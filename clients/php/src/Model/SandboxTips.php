<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<SandboxTip> $tips The newest block of each network.
 */
final class SandboxTips extends Record
{
    protected const FIELDS = [
        'tips' => [SandboxTip::class],
    ];
}
