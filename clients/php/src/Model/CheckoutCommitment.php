<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read DepositInstructions $depositInstructions What the customer sends, and where.
 * @property-read Settlement $settlement What you are credited for this payment.
 * @property-read string $expirationTime End of the payment window, UTC.
 * @property-read string $quoteExpirationTime Until then the settlement is guaranteed for these amounts.
 * @property-read string $checkoutId Id of the checkout.
 * @property-read string|null $paymentUri Link that opens a wallet with everything filled in; null where there is none.
 * @property-read Record|null $meta What you gave with it; absent where nothing was given.
 */
final class CheckoutCommitment extends Record
{
    protected const FIELDS = [
        'depositInstructions' => DepositInstructions::class,
        'settlement' => Settlement::class,
    ];
}
