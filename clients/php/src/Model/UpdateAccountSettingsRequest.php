<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $riskTolerance Assets above this risk are neither offered nor settled in; absent: as it was.
 * @property-read string|null $preferredAuthentication `DIGEST`: requests of every key are signed; `BASIC`: `X-Basic` is taken too; absent: as it was.
 * @property-read list<mixed>|null $customerMails Mails that customers get; none unless switched on; absent: as it was.
 * @property-read list<MailWords>|null $customerMailWords Your own words in such mails; absent: as it was.
 * @property-read bool|null $payerMails Whether payers may ask on their page for an e-mail when it is paid, or something is left for them to do; absent: as it was.
 * @property-read list<mixed>|null $pageLanguages Languages that the pages of the account are offered in; absent: as it was.
 * @property-read string|null $defaultPageLanguage Where the browser of a customer wants none of them; absent: as it was.
 * @property-read list<mixed>|null $embedOrigins Sites that may show pages of the account in a frame; absent: as it was.
 * @property-read string|null $settlementAsset Id of the asset, or `ORIGIN`, that sales by hand are credited in; absent: as it was.
 * @property-read list<mixed>|null $methodOrder Ways to pay in the order of customers, `LITECOIN LTC:NATIVE`; absent: as it was.
 * @property-read list<mixed>|null $methodsOff Ways to pay that new checkouts do not offer; absent: as it was.
 * @property-read list<mixed>|null $methodsRecommended Ways to pay that pages show first and mark; absent: as it was.
 * @property-read Record|null $confirmations By network, blocks for small, medium and large amounts; absent: as it was.
 * @property-read string|null $lateFloorPercent Percent of the price that late money has to be worth, 50 to 100; absent: as it was.
 * @property-read int|null $lateDays Days after its window in which a checkout can still complete; absent: as it was.
 * @property-read string|null $underpaidPercent Percent that may be missing from a payment, 0 to 2; absent: as it was.
 * @property-read PageSettings|null $pageSettings What its pages ask, and how they lead back; absent: as it was.
 */
final class UpdateAccountSettingsRequest extends Record
{
    protected const FIELDS = [
        'customerMailWords' => [MailWords::class],
        'pageSettings' => PageSettings::class,
    ];
}
