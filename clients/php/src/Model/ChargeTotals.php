<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $total What the customer is charged, rounded once, halves up, to the decimals of the currency.
 * @property-read int $decimals Digits after the point that the billing currency has.
 * @property-read string $netTotal Lines less discounts plus shipping, without tax, exact.
 * @property-read string $taxTotal All taxes, exact.
 * @property-read string $discountTotal All discounts, exact.
 * @property-read string $shippingTotal All shipping costs, exact.
 */
final class ChargeTotals extends Record
{
}
