<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<SandboxPayment> $payments What was sent.
 */
final class SandboxPayments extends Record
{
    protected const FIELDS = [
        'payments' => [SandboxPayment::class],
    ];
}
