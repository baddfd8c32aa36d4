<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Such as `LITECOIN`.
 * @property-read string $name Name, to be shown.
 * @property-read string $type Blockchain, or money of banks.
 * @property-read string $imageSrc Path of its picture on this server.
 * @property-read bool $deposits Whether payments can be received on it now.
 * @property-read bool $transfers Whether money can be sent on it now.
 * @property-read bool $bridged Whether an anchor brings its coins.
 * @property-read list<mixed> $assets Ids of the assets that are on it.
 */
final class Network extends Record
{
}
