<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\WebhookEndpoint;
use Quittance\Model\WebhookEndpointReference;
use Quittance\Model\WebhookEndpointWithSecret;
use Quittance\Record;

class WebhookEndpointsMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/webhook-endpoint', 'create', null, null, null, WebhookEndpointWithSecret::class],
        'update' => ['PUT', '/webhook-endpoint', 'idempotent', null, 'webhookEndpoint', null, WebhookEndpoint::class],
        'delete' => ['DELETE', '/webhook-endpoint', 'idempotent', null, null, null, WebhookEndpointReference::class],
        'rotateSecret' => ['POST', '/webhook-endpoint/rotate-secret', 'create', null, null, null, WebhookEndpointWithSecret::class],
        'list' => ['GET', '/webhook-endpoints', 'read', null, null, 'webhookEndpoints', WebhookEndpoint::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Register a receiver of the events of the whole account, of all types unless some are named; the secret that signs them is told here only (`POST /webhook-endpoint`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return WebhookEndpointWithSecret
     */
    public function create(array $parameters, array $options = []): WebhookEndpointWithSecret
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * The dated version that an account-wide receiver is told in of what happens from now on; what has happened is told again as it was (`PUT /webhook-endpoint`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return WebhookEndpoint
     */
    public function update(
        string $webhookEndpointId,
        array $parameters = [],
        array $options = [],
    ): WebhookEndpoint {
        $endpoint = new Endpoint(...self::ENDPOINTS['update']);
        return $this->caller->call($endpoint, [...$parameters, 'webhookEndpointId' => $webhookEndpointId], $options);
    }

    /**
     * Send nothing more to an account-wide receiver (`DELETE /webhook-endpoint`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return WebhookEndpointReference
     */
    public function delete(string $id, array $options = []): WebhookEndpointReference
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['delete']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * A new secret for an account-wide receiver, told here only; the old one signs beside it for `overlapHours` (0 to 24, 24 unless given) (`POST /webhook-endpoint/rotate-secret`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return WebhookEndpointWithSecret
     */
    public function rotateSecret(
        string $webhookEndpointId,
        array $parameters = [],
        array $options = [],
    ): WebhookEndpointWithSecret {
        $endpoint = new Endpoint(...self::ENDPOINTS['rotateSecret']);
        return $this->caller->call($endpoint, [...$parameters, 'webhookEndpointId' => $webhookEndpointId], $options);
    }

    /**
     * Account-wide receivers of events, newest first, deleted ones included (`GET /webhook-endpoints`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<WebhookEndpoint>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
