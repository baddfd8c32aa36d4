<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $state How far it is.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $assetId Id of the asset, such as `LTC:NATIVE`.
 * @property-read string $amount Taken from your balance, in whole coins: `targetAmount` with `networkFee` and `fee`.
 * @property-read string $networkFee The most that the network may take, and what it took once that is known.
 * @property-read string $fee What the service takes, in the same asset.
 * @property-read string $targetAmount What arrives, in whole coins.
 * @property-read string $expirationTime Until then the quote can be committed, UTC.
 * @property-read string|null $tx Hash of the transaction on the network; null while there is none.
 * @property-read GasFee|null $gasFee What the network takes in another asset, which you do not pay; null where nothing.
 * @property-read string|null $beneficiaryId Who gets it; null of one that carries a refund.
 * @property-read string|null $failure Why it failed, as far as that is known; null otherwise.
 * @property-read string|null $stuckSince Since when one that was sent is in no block for too long; null otherwise.
 * @property-read ClaimableBalance|null $claimableBalance Where on Stellar a receiver without a trust line claims it; null otherwise.
 * @property-read string|null $returnedAmount Of one that is RETURNED: what came back; null otherwise.
 */
final class Transfer extends Record
{
    protected const FIELDS = [
        'gasFee' => GasFee::class,
        'claimableBalance' => ClaimableBalance::class,
    ];
}
