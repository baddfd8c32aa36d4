<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $url Address, http or https, that events are sent to.
 * @property-read list<mixed>|null $eventTypes Which are sent; all unless given.
 */
final class CreateWebhookEndpointRequest extends Record
{
}
