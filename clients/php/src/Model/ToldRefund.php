<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $checkoutId Id of the checkout.
 * @property-read string $context State of the checkout that it gives back of.
 * @property-read Record|null $meta What you gave with it, if anything.
 * @property-read string|null $restsUntil Of REFUND_RESTS: it is not sent before
 * @property-read string|null $payment Of REFUND_FAILED and REFUND_RETURNED
 * @property-read string|null $failure Why it failed, as far as that is known; null otherwise.
 */
final class ToldRefund extends Record
{
}
