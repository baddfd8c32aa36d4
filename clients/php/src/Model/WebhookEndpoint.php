<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $url Address that events are sent to.
 * @property-read list<mixed>|null $eventTypes Which are sent; null: all of them.
 * @property-read string $format In whose words it is told: ours, of BTCPay Server, or of Coinbase Commerce.
 * @property-read string $apiVersion Dated version that its events are told in.
 * @property-read string $timestamp When it was made, UTC.
 * @property-read string|null $disabledTime Since when nothing is sent to it, UTC; null while it is in use.
 */
final class WebhookEndpoint extends Record
{
}
