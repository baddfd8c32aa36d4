<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<Asset> $assets Every asset of this environment.
 */
final class AssetList extends Record
{
    protected const FIELDS = [
        'assets' => [Asset::class],
    ];
}
