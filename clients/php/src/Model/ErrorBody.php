<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * Every answer that is no success; its stable code stands in the header X-Error-Code.
 *
 * @property-read list<mixed> $errors Sentences for a person: the first begins with the wording of the status, each fault of a request is one more, with its JSON path.
 */
final class ErrorBody extends Record
{
}
