<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\ListedRequest;
use Quittance\Record;

class RequestsMethods
{
    protected const ENDPOINTS = [
        'list' => ['GET', '/requests', 'read', null, null, 'requests', ListedRequest::class],
        'get' => ['GET', '/request', 'read', null, 'request', null, ListedRequest::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Requests of the last seven days to the API, newest first, a second after they were answered; a key with scopes sees those it may make itself. A page may hold fewer than asked for (`GET /requests`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<ListedRequest>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }

    /**
     * One request of the last seven days with what was sent and answered, without secrets (`GET /request`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return ListedRequest
     */
    public function get(string $id, array $options = []): ListedRequest
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }
}
