<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Record $charge What the customer is charged.
 * @property-read string $settlementAsset Id of the asset that is credited, or `ORIGIN`: whatever is paid.
 * @property-read string|null $webhook Address that is told; null where none was given.
 * @property-read ReturnLinks $links Where the customer goes afterwards.
 */
final class CheckoutPayload extends Record
{
    protected const FIELDS = [
        'links' => ReturnLinks::class,
    ];
}
