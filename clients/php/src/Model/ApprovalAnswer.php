<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Approval|null $approval Of `POST /approval`: as it stands now.
 * @property-read list<Approval>|null $approvals Of `GET /approvals`: what waits, oldest first.
 */
final class ApprovalAnswer extends Record
{
    protected const FIELDS = [
        'approval' => Approval::class,
        'approvals' => [Approval::class],
    ];
}
