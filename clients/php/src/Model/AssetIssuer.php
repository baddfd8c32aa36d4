<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Account or contract that issues.
 * @property-read string $name Name, to be shown.
 * @property-read string $domain Domain of the issuer; empty where there is none.
 * @property-read list<mixed> $assets Ids of the assets that it issues.
 */
final class AssetIssuer extends Record
{
}
