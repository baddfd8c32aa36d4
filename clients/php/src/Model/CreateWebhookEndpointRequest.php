<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $url Address, http or https, that events are sent to.
 * @property-read list<mixed>|null $eventTypes Which are sent; all unless given.
 * @property-read string|null $format In whose words: ours unless given, of BTCPay Server, or of Coinbase Commerce.
 * @property-read string|null $apiVersion Dated version that its events are told in; that of the key unless given.
 */
final class CreateWebhookEndpointRequest extends Record
{
}
