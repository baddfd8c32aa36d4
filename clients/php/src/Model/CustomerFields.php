<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $email E-mail address, up to 254 characters.
 * @property-read string|null $firstname First name, up to 200 characters.
 * @property-read string|null $lastname Last name, up to 200 characters.
 * @property-read string|null $company Company, up to 200 characters.
 * @property-read string|null $adr1 First line of the address, up to 200 characters.
 * @property-read string|null $adr2 Second line of the address, up to 200 characters.
 * @property-read string|null $zip Postal code, up to 20 characters.
 * @property-read string|null $city City, up to 200 characters.
 * @property-read string|null $countrycode Country: ISO 3166-1, two letters in either case.
 * @property-read string|null $phonenumber Telephone, up to 40 characters.
 * @property-read string|null $taxid Number for taxes, up to 50 characters.
 * @property-read string|null $note Your own note, up to 2,000 characters.
 * @property-read Record|null $meta Your own data, up to 16 KiB of JSON.
 */
final class CustomerFields extends Record
{
}
