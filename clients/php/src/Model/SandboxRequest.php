<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $network Which simulated network: that of the payment where the checkout is not committed; blocks come on all of them unless given, and it is needed to undo some.
 * @property-read int|null $depth How many are undone, 1 to 30; 1 unless given.
 * @property-read string|null $checkoutId Test checkout that is paid, instead of `depositAddressId`; or whose payments alone are mined or undone.
 * @property-read string|null $depositAddressId Test deposit address that is paid, with `amount`; or whose payments alone are mined or undone.
 * @property-read int|null $blocks How many come, 1 to 100; 1 unless given.
 * @property-read string|null $asset What is paid, where a checkout is not committed or an address takes several: id of an asset of `GET /assets`.
 * @property-read string|null $inAsset Another asset of the network than the checkout asks for, sent to the same place; with `amount`
 * @property-read string|null $amount Of the payment, in whole coins; what is asked for unless given.
 * @property-read int|null $parts In so many payments, 1 to 20; 1 unless given.
 */
final class SandboxRequest extends Record
{
}
