<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Refund;
use Quittance\Record;

class RefundsMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/refund', 'money', null, 'refund', null, Refund::class],
        'get' => ['GET', '/refund', 'read', null, 'refund', null, Refund::class],
        'cancel' => ['POST', '/refund/cancel', 'money', null, 'refund', null, Refund::class],
        'list' => ['GET', '/refunds', 'read', null, null, 'refunds', Refund::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Send money of a checkout back; without `address` the payer gets a link to claim it (`POST /refund`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Refund
     */
    public function create(array $parameters, array $options = []): Refund
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * State of a refund (`GET /refund`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Refund
     */
    public function get(string $id, array $options = []): Refund
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * Take back a refund that is not sent yet, and that nobody was told how to send (`POST /refund/cancel`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Refund
     */
    public function cancel(string $refundId, array $options = []): Refund
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['cancel']);
        return $this->caller->call($endpoint, ['refundId' => $refundId], $options);
    }

    /**
     * Refunds, newest first (`GET /refunds`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Refund>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
