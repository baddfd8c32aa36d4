<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read bool $authenticated Always true: other answers are errors.
 * @property-read string $method How the request was signed.
 * @property-read string $environment `test` or `live`: that of the key.
 */
final class Authentication extends Record
{
}
