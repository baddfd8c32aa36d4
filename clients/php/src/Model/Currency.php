<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $assetCode Such as `EUR`.
 * @property-read string $name Name, to be shown.
 * @property-read string $type `FIAT`: of states; `CRYPTO`: of networks.
 * @property-read bool $billing Whether charges can be in it.
 * @property-read bool $settlement Whether you can be credited in it.
 * @property-read bool $payment Whether customers can pay in it now.
 */
final class Currency extends Record
{
}
