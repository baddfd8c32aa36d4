<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $riskTolerance Assets above this risk are neither offered nor settled in.
 * @property-read string|null $preferredAuthentication `DIGEST`: requests of every key are signed; `BASIC`: `X-Basic` is taken too.
 * @property-read list<mixed>|null $customerMails Mails that customers get; none unless switched on.
 * @property-read list<MailWords>|null $customerMailWords Your own words in such mails.
 * @property-read bool|null $payerMails Whether payers may ask on their page for an e-mail when it is paid, or something is left for them to do.
 * @property-read list<mixed>|null $pageLanguages Languages that the pages of the account are offered in.
 * @property-read string|null $defaultPageLanguage That of `pageLanguages` in which they are where the browser of a customer wants none.
 * @property-read list<mixed>|null $embedOrigins Sites that may show pages of the account in a frame.
 * @property-read string|null $settlementAsset Id of the asset that sales by hand, links and invoices are credited in, or `ORIGIN`: whatever is paid.
 * @property-read list<mixed>|null $methodOrder Ways to pay in the order of customers, `LITECOIN LTC:NATIVE`; others come after.
 * @property-read list<mixed>|null $methodsOff Ways to pay that new checkouts do not offer.
 * @property-read list<mixed>|null $methodsRecommended Ways to pay that pages show first and mark.
 * @property-read Record|null $confirmations By id of a network, blocks for small, medium and large amounts, each 1 to 1,000.
 * @property-read string|null $lateFloorPercent Percent of the price that late money has to be worth, 50 to 100.
 * @property-read int|null $lateDays Days after its window in which a checkout can still complete.
 * @property-read string|null $underpaidPercent Percent that may be missing from a payment, 0 to 2.
 * @property-read PageSettings|null $pageSettings What its pages ask, and how they lead back.
 */
final class UpdateAccountSettingsRequest extends Record
{
    protected const FIELDS = [
        'customerMailWords' => [MailWords::class],
        'pageSettings' => PageSettings::class,
    ];
}
