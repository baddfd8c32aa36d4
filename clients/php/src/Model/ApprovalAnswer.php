<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Approval $approval As it stands now.
 */
final class ApprovalAnswer extends Record
{
    protected const FIELDS = [
        'approval' => Approval::class,
    ];
}
