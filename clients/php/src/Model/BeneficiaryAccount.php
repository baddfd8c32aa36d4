<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $address Address on the network.
 * @property-read string|null $invoice LIGHTNING: an invoice (BOLT 11), which pays one transfer of exactly its amount
 * @property-read string|null $lightningAddress LIGHTNING: name@domain (LUD-16), or invoice, or lnurl
 * @property-read string|null $lnurl LIGHTNING: lnurl1... (LUD-01), or invoice, or lightningAddress
 * @property-read string|null $account STELLAR, XRP_LEDGER
 * @property-read string|null $memo What has to be given beside the address, or null.
 * @property-read string|null $memoType Kind of the memo: `text`, `id` or `hash`; null without a memo.
 * @property-read string|null $iban SEPA; SWIFT: or accountNumber
 * @property-read string|null $accountNumber SWIFT: or iban
 * @property-read string|null $bic SWIFT; SEPA when known
 * @property-read string|null $holder SEPA, SWIFT: whose account it is
 * @property-read string|null $pixKey PIX: CPF, CNPJ, e-mail address, telephone or random key
 * @property-read string|null $taxId PIX: CPF or CNPJ
 * @property-read int|null $destinationTag On the XRP Ledger: what has to be given beside the address.
 */
final class BeneficiaryAccount extends Record
{
}
