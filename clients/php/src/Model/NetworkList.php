<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<Network> $networks Every network that is known here.
 */
final class NetworkList extends Record
{
    protected const FIELDS = [
        'networks' => [Network::class],
    ];
}
