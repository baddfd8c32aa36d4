<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Id of the claimable balance on Stellar.
 * @property-read string|null $reclaimableFrom From then on it may be taken back, UTC; null where never.
 */
final class ClaimableBalance extends Record
{
}
