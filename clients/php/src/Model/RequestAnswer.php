<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read ListedRequest $request The request, without secrets.
 */
final class RequestAnswer extends Record
{
    protected const FIELDS = [
        'request' => ListedRequest::class,
    ];
}
