<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $assetId Id of the asset, such as `LTC:NATIVE`.
 * @property-read string $assetCode Code of the asset, such as `LTC`; not unique: several networks issue `USDC`.
 * @property-read string $balance All of it: `available`, `pending` and what transfers under way hold, less `owed`; may be below zero.
 * @property-read string $available What may be sent, converted or refunded now.
 * @property-read string $pending Came for checkouts that are not paid in full.
 * @property-read string $owed What you owe, because a payment that you had refunded was taken back by its network.
 * @property-read list<WalletAddress> $depositAddresses Those of your newest 250 deposit addresses that take this asset.
 */
final class Wallet extends Record
{
    protected const FIELDS = [
        'depositAddresses' => [WalletAddress::class],
    ];
}
