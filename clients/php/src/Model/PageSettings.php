<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<mixed>|null $asks Asked first: `key`, `label`, `labels` by language, `kind` (TEXT, EMAIL, NUMBER, CHOICE, CHECKBOX), `required`, `least`, `most`, `choices`, `choiceLabels`.
 * @property-read string|null $termsUrl Terms to be accepted.
 * @property-read string|null $termsText What the payer ticks.
 * @property-read list<mixed>|null $tipPercents Tips: 0.1 is ten percent.
 * @property-read list<mixed>|null $tipAmounts Tips in the billing currency.
 * @property-read bool|null $tipOwn Whether he may name a tip.
 * @property-read mixed|null $returnMethod `POST`: a signed form leads back; `GET` unless given.
 * @property-read string|null $returnUrl Where the customer goes after paying; `checkoutId` is appended to its query.
 * @property-read string|null $cancelUrl Where the customer goes who cancels; `checkoutId` is appended to its query.
 * @property-read string|null $shopName Name over the page, up to 200 characters.
 * @property-read bool|null $displayBuyerInfo Whether what is known of the customer is shown.
 * @property-read bool|null $displaySellerInfo Whether name and address of the seller are shown.
 */
final class PageSettings extends Record
{
}
