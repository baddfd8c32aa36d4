<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read PageLook $pageLook As it is now.
 */
final class PageLookAnswer extends Record
{
    protected const FIELDS = [
        'pageLook' => PageLook::class,
    ];
}
