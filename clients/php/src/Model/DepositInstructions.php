<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $assetCode Code of the asset, such as `LTC`; not unique: several networks issue `USDC`.
 * @property-read string $blockchain Name of the network, such as `Litecoin`, read by older clients.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $amount What the customer sends, in whole coins.
 * @property-read string|null $anchorFee How much of the amount an anchor keeps; absent where none is in between.
 * @property-read string $address Where to: an address, a Lightning invoice, or an account of a bank.
 * @property-read string|null $memo What has to be given beside the address, or null.
 * @property-read string|null $memoType Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo.
 * @property-read int|null $destinationTag On the XRP Ledger: what has to be given beside the address.
 * @property-read string|null $holder Banks: whose account it is.
 * @property-read string|null $bic Banks: its BIC, where it has one.
 * @property-read string|null $paymentUri Link that opens a wallet with everything filled in; null where there is none.
 */
final class DepositInstructions extends Record
{
}
