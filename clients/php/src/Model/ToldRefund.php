<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $checkoutId Id of the checkout.
 * @property-read string $context What it gives back of: a completed checkout, an underpaid one, or what was paid too much.
 * @property-read Record|null $meta What you gave with it; absent where nothing was given.
 * @property-read string|null $restsUntil Of REFUND_RESTS alone: it is not sent before, UTC, and can be cancelled.
 * @property-read string|null $payment Of REFUND_FAILED and REFUND_RETURNED alone: whether the payment that it gave back stands.
 * @property-read string|null $failure Of REFUND_FAILED and REFUND_RETURNED alone: why, as far as that is known; null otherwise.
 */
final class ToldRefund extends Record
{
}
