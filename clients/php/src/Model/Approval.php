<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $subject What waits: `transfer:` and an id, also of the transfer that carries a refund.
 * @property-read string $environment `test` or `live`: that of the key.
 * @property-read string|null $merchantId Whose it is; null of the house.
 * @property-read string $about What it is, in words.
 * @property-read string|null $maker Who made it: `key` and its id, or a person; null where that is not known.
 * @property-read string $askedAt Since when it waits, UTC.
 * @property-read string $waitsUntil Until then it can be approved, UTC.
 * @property-read string|null $approver Who approved it; null while nobody has.
 * @property-read string|null $approvedAt When, UTC; null while nobody has.
 */
final class Approval extends Record
{
}
