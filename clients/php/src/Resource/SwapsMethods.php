<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Swap;
use Quittance\Record;

class SwapsMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/swap', 'money', null, 'swap', null, Swap::class],
        'get' => ['GET', '/swap', 'read', null, 'swap', null, Swap::class],
        'commit' => ['POST', '/swap/commit', 'money', null, 'swap', null, Swap::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Quote a conversion of the balance for 60 seconds (`POST /swap`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Swap
     */
    public function create(array $parameters, array $options = []): Swap
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * State of a swap (`GET /swap`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Swap
     */
    public function get(string $id, array $options = []): Swap
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * Carry out a swap at its quote; repeats change nothing (`POST /swap/commit`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Swap
     */
    public function commit(string $swapId, array $options = []): Swap
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['commit']);
        return $this->caller->call($endpoint, ['swapId' => $swapId], $options);
    }
}
