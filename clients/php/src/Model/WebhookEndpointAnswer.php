<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read WebhookEndpoint $webhookEndpoint The receiver.
 */
final class WebhookEndpointAnswer extends Record
{
    protected const FIELDS = [
        'webhookEndpoint' => WebhookEndpoint::class,
    ];
}
