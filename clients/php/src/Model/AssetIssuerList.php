<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<AssetIssuer> $assetIssuers Every issuer of an asset of this environment.
 */
final class AssetIssuerList extends Record
{
    protected const FIELDS = [
        'assetIssuers' => [AssetIssuer::class],
    ];
}
