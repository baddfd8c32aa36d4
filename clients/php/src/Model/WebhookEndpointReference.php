<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $webhookEndpointId Id of the receiver.
 * @property-read int|null $overlapHours For so long the old secret signs too: 0 to 24, 24 unless given.
 */
final class WebhookEndpointReference extends Record
{
}
