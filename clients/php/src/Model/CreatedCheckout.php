<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read list<PaymentMethod> $paymentMethods Every way to pay it, of which one is chosen by `POST /checkout/commit`.
 * @property-read string $quoteExpirationTime Until then these amounts are kept, UTC.
 * @property-read Record|null $meta What you gave with it; absent where nothing was given.
 * @property-read list<mixed>|null $warnings Sentences: what was asked for and cannot be done, as far as it stops no sale.
 */
final class CreatedCheckout extends Record
{
    protected const FIELDS = [
        'paymentMethods' => [PaymentMethod::class],
    ];
}
