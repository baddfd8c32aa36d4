<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<Approval> $approvals Oldest first.
 */
final class ApprovalList extends Record
{
    protected const FIELDS = [
        'approvals' => [Approval::class],
    ];
}
