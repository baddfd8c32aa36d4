<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $at Since when, UTC; with `late`, `reversed`, `restored`, `acceptedUnderpaid`, `manual`.
 * @property-read string|null $amount In whole coins of `assetCode`; with `overpaid`, `reversed`, `restored`.
 * @property-read string|null $assetCode Code of the asset that `amount` is in.
 * @property-read int|null $count How many payments were credited after it was completed; with `multiple`.
 */
final class CheckoutFlag extends Record
{
}
