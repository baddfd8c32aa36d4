<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $webhookEndpointId Id of the receiver.
 * @property-read int|null $overlapHours Of a new secret alone: hours in which the old one signs too, 0 to 24, 24 unless given.
 * @property-read string|null $apiVersion Of a change alone: dated version that its events are told in from now on.
 */
final class WebhookEndpointReference extends Record
{
}
