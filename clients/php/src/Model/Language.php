<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $languageCode Such as `en`.
 * @property-read string $name In the language itself.
 */
final class Language extends Record
{
}
