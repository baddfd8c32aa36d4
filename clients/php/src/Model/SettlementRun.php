<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $dueTime When it was due, UTC.
 * @property-read string $state Whether it was followed.
 * @property-read string|null $amount What it took from the balance, in whole coins; null where nothing.
 * @property-read string|null $swapId Conversion that it made; null where none.
 * @property-read string|null $transferId Transfer that it made; null where none.
 * @property-read string|null $code Why it was skipped, as an error code; null where it was followed.
 * @property-read string|null $reason The same, in words.
 * @property-read string $timestamp When it was tried last, UTC.
 */
final class SettlementRun extends Record
{
}
