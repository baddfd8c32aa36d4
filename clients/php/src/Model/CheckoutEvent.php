<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $eventType What happened.
 * @property-read CheckoutAnswer $data What it happened to.
 * @property-read string $id Its id: 12 characters.
 * @property-read string $created When it was made, UTC.
 * @property-read int $sequence Rises from 1 with each event of one thing: the highest is the newest.
 * @property-read string $apiVersion Dated version that this is told in, that of its receiver; `1` is the first.
 * @property-read bool|null $test A person tries a receiver: nothing of it happened
 */
final class CheckoutEvent extends Record
{
    protected const FIELDS = [
        'data' => CheckoutAnswer::class,
    ];
}
