<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read Charge $charge What the customer is charged.
 * @property-read string|null $settlementAsset Id of the asset that you are credited in, or `ORIGIN`: whatever is paid. `ORIGIN` unless given.
 * @property-read string|null $settlementCurrency Older name of `settlementAsset`; takes codes such as `BTC` too.
 * @property-read string|null $checkoutLanguage Language of the payment page: a code of `GET /languages`, or `auto`, that of the browser; `auto` unless given, `en` with `charge.currency`.
 * @property-read string|null $webhook Address, http or https, that is told of everything that happens to the checkout.
 * @property-read Record|null $anchors By network, the id of the asset that is preferred where one coin can come in two ways.
 * @property-read Record|null $blockchainRelays Older form of `anchors`: by network, the issuer.
 * @property-read PageSettings|null $pageSettings Of the payment page; what is absent is as the account says.
 * @property-read ReturnLinks|null $links Older place of `returnUrl` and `cancelUrl`.
 * @property-read Record|null $meta Your own data, up to 16 KiB of JSON: comes back in answers and webhooks.
 */
final class CheckoutRequest extends Record
{
    protected const FIELDS = [
        'charge' => Charge::class,
        'pageSettings' => PageSettings::class,
        'links' => ReturnLinks::class,
    ];
}
