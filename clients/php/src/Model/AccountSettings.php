<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $riskTolerance Assets above this risk are neither offered nor settled in.
 * @property-read string $preferredAuthentication `DIGEST`: requests of every key are signed; `BASIC`: `X-Basic` is taken too.
 * @property-read list<mixed> $customerMails Mails that customers get; none unless switched on.
 * @property-read bool $payerMails Whether payers may ask on their page for an e-mail when it is paid, or something is left for them to do.
 * @property-read string $settlementAsset Id of the asset that sales by hand, links and invoices are credited in, or `ORIGIN`: whatever is paid.
 * @property-read list<mixed> $methodOrder Ways to pay in the order of customers, `LITECOIN LTC:NATIVE`; others come after.
 * @property-read list<mixed> $methodsOff Ways to pay that new checkouts do not offer.
 * @property-read list<mixed> $methodsRecommended Ways to pay that pages show first and mark.
 * @property-read list<MailWords> $customerMailWords Your own words in such mails.
 * @property-read list<mixed> $pageLanguages Languages that the pages of the account are offered in.
 * @property-read string $defaultPageLanguage That of `pageLanguages` in which they are where the browser of a customer wants none.
 * @property-read list<mixed> $embedOrigins Sites that may show pages of the account in a frame.
 * @property-read Record $confirmations By id of a network, blocks for small, medium and large amounts, each 1 to 1,000.
 * @property-read string $lateFloorPercent Percent of the price that late money has to be worth, 50 to 100.
 * @property-read int $lateDays Days after its window in which a checkout can still complete.
 * @property-read string $underpaidPercent Percent that may be missing from a payment, 0 to 2.
 * @property-read PageSettings $pageSettings What its pages ask, and how they lead back.
 */
final class AccountSettings extends Record
{
    protected const FIELDS = [
        'customerMailWords' => [MailWords::class],
        'pageSettings' => PageSettings::class,
    ];
}
