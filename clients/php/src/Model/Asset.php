<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Code and issuer, such as `LTC:NATIVE`.
 * @property-read string $assetCode Code of the asset, such as `LTC`; not unique: several networks issue `USDC`.
 * @property-read string $assetIssuer `NATIVE`, `FIAT`, or the account or contract that issues it.
 * @property-read string $name Name, to be shown.
 * @property-read string $group Assets of one group are worth the same.
 * @property-read string $groupImageSrc Path of the picture of the group on this server.
 * @property-read string $issuerName Who issues it; empty where nobody does.
 * @property-read string $issuerDomain Domain of the issuer; empty where there is none.
 * @property-read string $issuerAddress Address of the issuer on its network; empty where there is none.
 * @property-read string $imageSrc Path of its picture on this server.
 * @property-read bool $checkouts Whether checkouts of the account offer it now.
 * @property-read bool $deposits Whether deposit addresses of the account take it now.
 * @property-read bool $settlement Whether you can be credited in it.
 * @property-read bool $swaps Whether it can be converted.
 * @property-read bool $transfers Whether it can be sent now.
 * @property-read string $hexColor Colour of the brand, `#` and six hex digits.
 * @property-read string $riskLevel How much can go wrong with it: held against `riskTolerance` of the account.
 * @property-read bool $bridge Whether it stands for a coin of another network.
 * @property-read list<mixed> $networks Ids of the networks that it is on.
 */
final class Asset extends Record
{
}
