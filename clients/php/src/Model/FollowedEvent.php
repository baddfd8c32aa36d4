<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Id of the event, the header `webhook-id`.
 * @property-read string $eventType What happened
 * @property-read string $body The text of the webhook, byte for byte: what signatures are made over
 */
final class FollowedEvent extends Record
{
}
