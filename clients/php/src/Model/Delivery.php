<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $url Address of the receiver.
 * @property-read string|null $webhookEndpointId Which receiver of the account; null of an address given with a checkout or a deposit address.
 * @property-read string $state How far it is.
 * @property-read int $attempts How often it was tried.
 * @property-read int|null $lastStatus HTTP status of the last answer; null where there was none.
 * @property-read string|null $lastError Why the last attempt got no answer, in words; null where it got one.
 * @property-read string|null $nextAttempt When it is tried again, UTC; null where it is not.
 * @property-read string|null $finishedTime When it ended, UTC; null while it has not.
 * @property-read string|null $reason Why it ended without success, in words; null otherwise.
 */
final class Delivery extends Record
{
}
