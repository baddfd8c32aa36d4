<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<Wallet> $wallets One for each asset.
 */
final class WalletList extends Record
{
    protected const FIELDS = [
        'wallets' => [Wallet::class],
    ];
}
