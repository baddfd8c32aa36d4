<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read list<mixed>|null $asks Asked from the payer first, up to 20: `key`, `label`, `labels` by language, `kind` (TEXT unless given, EMAIL, NUMBER, CHOICE, CHECKBOX), `required`, `least`, `most`, `choices`, `choiceLabels`.
 * @property-read string|null $termsUrl Address, http or https, of terms that the payer has to accept; null without.
 * @property-read string|null $termsText What the payer ticks to accept terms, up to 500 characters; null: words of ours.
 * @property-read list<mixed>|null $tipPercents Tips that are offered, up to 6, above 0 and up to 1: 0.1 is ten percent.
 * @property-read list<mixed>|null $tipAmounts Tips that are offered, up to 6, in the billing currency.
 * @property-read bool|null $tipOwn Whether the payer may name a tip of his own.
 * @property-read string|null $returnMethod `POST`: a signed form leads back; `GET` unless given.
 * @property-read string|null $returnUrl Where the customer goes after paying; `checkoutId` is appended to its query.
 * @property-read string|null $cancelUrl Where the customer goes who cancels; `checkoutId` is appended to its query.
 * @property-read string|null $shopName Name over the page, up to 200 characters.
 * @property-read bool|null $displayBuyerInfo Whether what is known of the customer is shown.
 * @property-read bool|null $displaySellerInfo Whether name and address of the seller are shown.
 */
final class PageSettings extends Record
{
}
