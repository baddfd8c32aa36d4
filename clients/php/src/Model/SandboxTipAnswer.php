<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read SandboxTip $tip The newest block.
 */
final class SandboxTipAnswer extends Record
{
    protected const FIELDS = [
        'tip' => SandboxTip::class,
    ];
}
