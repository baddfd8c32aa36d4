<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $assetCode Code of the asset, such as `LTC`; not unique: several networks issue `USDC`.
 * @property-read string $blockchain Name of the network, such as `Litecoin`, read by older clients.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $relatedAssetId Id of the asset that is paid.
 * @property-read string $paymentAmount What the customer sends, in whole coins of that asset.
 * @property-read string|null $anchorFee How much of it an anchor keeps; absent where none is in between.
 * @property-read Settlement $settlement What you are credited for this payment.
 */
final class PaymentMethod extends Record
{
    protected const FIELDS = [
        'settlement' => Settlement::class,
    ];
}
