<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $kind Which mail.
 * @property-read string $language Code of a language of `GET /languages`.
 * @property-read string|null $opening What it begins with, up to 500 characters; null as it is by itself.
 * @property-read string|null $closing What it ends with, up to 500 characters; null as it is by itself.
 */
final class MailWords extends Record
{
}
