<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\DepositAddress;
use Quittance\Record;

class DepositAddressesMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/deposit-address', 'create', null, 'depositAddress', null, DepositAddress::class],
        'get' => ['GET', '/deposit-address', 'read', null, 'depositAddress', null, DepositAddress::class],
        'list' => ['GET', '/deposit-addresses', 'read', null, null, 'depositAddresses', DepositAddress::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * A dedicated address that may be paid any number of times, watched for ever (`POST /deposit-address`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return DepositAddress
     */
    public function create(array $parameters, array $options = []): DepositAddress
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * A deposit address (`GET /deposit-address`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return DepositAddress
     */
    public function get(string $id, array $options = []): DepositAddress
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * Deposit addresses, newest first (`GET /deposit-addresses`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<DepositAddress>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
