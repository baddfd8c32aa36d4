<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $address Address on the network; of SWIFT where the holder lives
 * @property-read string|null $invoice LIGHTNING: an invoice (BOLT 11), which pays one transfer of exactly its amount
 * @property-read string|null $lightningAddress LIGHTNING: name@domain (LUD-16), or invoice, or lnurl
 * @property-read string|null $lnurl LIGHTNING: lnurl1... (LUD-01), or invoice, or lightningAddress
 * @property-read string|null $account STELLAR, XRP_LEDGER: the account
 * @property-read string|null $memo STELLAR: what has to be given beside the account, with memoType
 * @property-read string|null $memoType STELLAR: kind of the memo, text, id, hash, return
 * @property-read string|null $iban SEPA: the IBAN; SWIFT: it, or accountNumber
 * @property-read string|null $accountNumber SWIFT: number of the account, or iban
 * @property-read string|null $bic SWIFT: BIC of the bank; SEPA: where it is known
 * @property-read string|null $holder SEPA, SWIFT: whose account it is
 * @property-read string|null $pixKey PIX: CPF, CNPJ, e-mail address, telephone or random key
 * @property-read string|null $taxId PIX: CPF or CNPJ
 * @property-read int|null $destinationTag XRP_LEDGER: what has to be given beside the account, as number or text
 */
final class BeneficiaryAccount extends Record
{
}
