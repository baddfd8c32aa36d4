<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<Blockchain> $blockchains Every blockchain that is known here.
 */
final class BlockchainList extends Record
{
    protected const FIELDS = [
        'blockchains' => [Blockchain::class],
    ];
}
