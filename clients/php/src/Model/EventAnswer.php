<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read ListedEvent $event The event, with its deliveries as they stand now.
 */
final class EventAnswer extends Record
{
    protected const FIELDS = [
        'event' => ListedEvent::class,
    ];
}
