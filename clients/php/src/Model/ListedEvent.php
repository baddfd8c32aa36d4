<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $eventType What happened.
 * @property-read Record $data What it happened to.
 * @property-read string $id Its id: 12 characters.
 * @property-read string $created When it was made, UTC.
 * @property-read int $sequence Rises from 1 with each event of one thing: the highest is the newest.
 * @property-read string $apiVersion Dated version that this is told in.
 * @property-read bool|null $test There where a person sent it to try a receiver: nothing of it has happened.
 * @property-read list<Delivery> $deliveries One for each receiver.
 * @property-read string|null $body The text of the webhook, byte for byte: what signatures are made over
 */
final class ListedEvent extends Record
{
    protected const FIELDS = [
        'deliveries' => [Delivery::class],
    ];
}
