<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<FollowedEvent> $events In the order in which they were told, oldest first.
 * @property-read string $after Where the next question goes on
 */
final class FollowedEvents extends Record
{
    protected const FIELDS = [
        'events' => [FollowedEvent::class],
    ];
}
