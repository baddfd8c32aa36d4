<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $customerId Customer that it is for, of `POST /customer`.
 * @property-read string|null $billingCurrency Code of a currency of `GET /currencies` with `billing`, in which all amounts are; needed unless `currency` is given.
 * @property-read string|null $currency Older name of `billingCurrency`; alone, it needs `settlementCurrency` or `settlementAsset`.
 * @property-read list<LineItem> $lineItems What is sold: 1 to 500 lines.
 * @property-read list<DiscountItem>|null $discountItems What is taken off before tax, up to 100.
 * @property-read list<ShippingCostItem>|null $shippingCostItems What sending costs, up to 100.
 * @property-read list<TaxItem>|null $taxItems Taxes, up to 100: each a part of the taxable sum.
 */
final class Charge extends Record
{
    protected const FIELDS = [
        'lineItems' => [LineItem::class],
        'discountItems' => [DiscountItem::class],
        'shippingCostItems' => [ShippingCostItem::class],
        'taxItems' => [TaxItem::class],
    ];
}
