<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Transfer;
use Quittance\Record;

class TransfersMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/transfer', 'money', null, 'transfer', null, Transfer::class],
        'get' => ['GET', '/transfer', 'read', null, 'transfer', null, Transfer::class],
        'commit' => ['POST', '/transfer/commit', 'money', null, 'transfer', null, Transfer::class],
        'cancel' => ['POST', '/transfer/cancel', 'money', null, 'transfer', null, Transfer::class],
        'list' => ['GET', '/transfers', 'read', null, null, 'transfers', Transfer::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Quote a transfer to a beneficiary; nothing moves before it is committed (`POST /transfer`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Transfer
     */
    public function create(array $parameters, array $options = []): Transfer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * State of a transfer (`GET /transfer`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Transfer
     */
    public function get(string $id, array $options = []): Transfer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * Send a quoted transfer; a repeat answers with it as it stands (`POST /transfer/commit`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Transfer
     */
    public function commit(string $transferId, array $options = []): Transfer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['commit']);
        return $this->caller->call($endpoint, ['transferId' => $transferId], $options);
    }

    /**
     * Take back a transfer that a person has to send and nobody was told of yet (`POST /transfer/cancel`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Transfer
     */
    public function cancel(string $transferId, array $options = []): Transfer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['cancel']);
        return $this->caller->call($endpoint, ['transferId' => $transferId], $options);
    }

    /**
     * Transfers, newest first (`GET /transfers`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Transfer>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
