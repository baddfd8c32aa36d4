<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<Language> $languages That payment pages are there in.
 */
final class LanguageList extends Record
{
    protected const FIELDS = [
        'languages' => [Language::class],
    ];
}
