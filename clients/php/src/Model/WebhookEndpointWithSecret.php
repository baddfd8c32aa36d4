<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read WebhookEndpoint $webhookEndpoint The receiver.
 * @property-read string $secret Signs what is sent to it (Standard Webhooks, `whsec_…`): told here only.
 */
final class WebhookEndpointWithSecret extends Record
{
    protected const FIELDS = [
        'webhookEndpoint' => WebhookEndpoint::class,
    ];
}
