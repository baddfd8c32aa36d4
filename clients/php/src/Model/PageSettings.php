<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $returnUrl Where the customer goes after paying; `checkoutId` is appended to its query.
 * @property-read string|null $cancelUrl Where the customer goes who cancels; `checkoutId` is appended to its query.
 * @property-read string|null $shopName Name over the page, up to 200 characters.
 * @property-read bool|null $displayBuyerInfo Whether what is known of the customer is shown.
 * @property-read bool|null $displaySellerInfo Whether name and address of the seller are shown.
 */
final class PageSettings extends Record
{
}
