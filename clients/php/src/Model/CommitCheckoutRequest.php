<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $checkoutId Id of the checkout.
 * @property-read string|null $network Id of the network that the customer pays on: of one of the payment methods; needed where several fit.
 * @property-read string|null $asset Id of the asset; unless given the first of `assets` of the network, where it is offered.
 * @property-read string|null $depositNetwork Another name of `network`.
 * @property-read string|null $relatedAssetId Another name of `asset`.
 * @property-read string|null $assetCode Older way to name the payment method, by the code of its asset.
 * @property-read Record|null $answers What the customer answered, by `key` of `asks`.
 * @property-read bool|null $termsAccepted That the customer accepts the terms: needed, true, where the checkout has some.
 * @property-read string|null $tip What the customer adds, in the billing currency; nothing unless given.
 */
final class CommitCheckoutRequest extends Record
{
}
