<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $place `HEADING`: above all else; `PAY_NOTE`: under what is to be paid; `PAID`: after the payment; `TERMS`: your terms.
 * @property-read string $language Code of a language of `GET /languages`.
 * @property-read string $words Plain text of up to 500 characters, in `HEADING` 120; empty is none.
 */
final class PageWords extends Record
{
}
