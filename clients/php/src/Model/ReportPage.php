<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Report $report A page of the report.
 * @property-read string|null $nextCursor `cursor` of the next page; null on the last.
 */
final class ReportPage extends Record
{
    protected const FIELDS = [
        'report' => Report::class,
    ];
}
