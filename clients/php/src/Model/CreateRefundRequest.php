<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $checkoutId Id of the checkout.
 * @property-read string $kind `full`: what is left, of an underpaid checkout all of it, less the fee of the network; `amount`: so much; `excess`: what was paid too much.
 * @property-read string|null $amount With `kind` amount only: in whole coins of what was paid.
 * @property-read string|null $address Where to; on Lightning an address, an LNURL, or an invoice for exactly what is refunded. Without it the payer gets a link to claim it.
 * @property-read string|null $memo What an exchange asks for beside its address, up to 64 characters.
 * @property-read string|null $memoType Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo.
 * @property-read int|null $destinationTag On the XRP Ledger: what has to be given beside the address.
 * @property-read string|null $holder Whose bank account it is, up to 200 characters.
 * @property-read string|null $network Where the customer paid in several ways: which; the last one unless given.
 * @property-read string|null $asset The same: id of the asset that was paid.
 */
final class CreateRefundRequest extends Record
{
}
