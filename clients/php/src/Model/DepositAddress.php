<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $assetId Id of the asset, such as `LTC:NATIVE`.
 * @property-read string $address May be paid any number of times.
 * @property-read string|null $memo What has to be given beside the address, or null.
 * @property-read string|null $memoType Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo.
 * @property-read int|null $destinationTag On the XRP Ledger: what has to be given beside the address.
 * @property-read string|null $paymentUri Link that opens a wallet with everything filled in; null where there is none.
 * @property-read string|null $lightningAddress Lightning: the address in the form of a mail address.
 * @property-read string|null $lnurl Lightning: the same as an LNURL.
 * @property-read string|null $label Your own name for it, up to 200 characters; null where none was given.
 * @property-read string|null $webhook Address that is told of its payments, beside the receivers of the account; null where none was given.
 * @property-read string $timestamp When it was made, UTC.
 * @property-read Record|null $meta What you gave with it; absent where nothing was given.
 */
final class DepositAddress extends Record
{
}
