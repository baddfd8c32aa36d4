<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $url Address of the payment page: send the customer there.
 * @property-read string $checkoutId The same as `id`, read by older clients.
 * @property-read Record|null $meta What you gave with it; absent where nothing was given.
 * @property-read list<mixed>|null $warnings Sentences: what was asked for and cannot be done, as far as it stops no sale.
 */
final class CreatedHostedCheckout extends Record
{
}
