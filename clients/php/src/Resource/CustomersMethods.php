<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Customer;
use Quittance\Model\CustomerReference;
use Quittance\Record;

class CustomersMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/customer', 'create', 'customer', null, null, CustomerReference::class],
        'update' => ['PUT', '/customer', 'idempotent', 'customer', 'customer', null, Customer::class],
        'delete' => ['DELETE', '/customer', 'idempotent', null, null, null, CustomerReference::class],
        'get' => ['GET', '/customer', 'read', null, 'customer', null, Customer::class],
        'list' => ['GET', '/customers', 'read', null, null, 'customers', Customer::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Create a customer (`POST /customer`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return CustomerReference
     */
    public function create(array $parameters, array $options = []): CustomerReference
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * Change a customer: absent fields stay, null clears (`PUT /customer`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Customer
     */
    public function update(string $id, array $parameters = [], array $options = []): Customer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['update']);
        return $this->caller->call($endpoint, [...$parameters, 'id' => $id], $options);
    }

    /**
     * Delete a customer: `{ id }` or `{ customer: { id } }` (`DELETE /customer`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return CustomerReference
     */
    public function delete(string $id, array $options = []): CustomerReference
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['delete']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * A customer by its id (`GET /customer`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Customer
     */
    public function get(string $id, array $options = []): Customer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * Customers, newest first (`GET /customers`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Customer>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
