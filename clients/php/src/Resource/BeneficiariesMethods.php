<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Beneficiary;
use Quittance\Model\BeneficiaryReference;
use Quittance\Record;

class BeneficiariesMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/beneficiary', 'money', 'beneficiary', null, null, BeneficiaryReference::class],
        'delete' => ['DELETE', '/beneficiary', 'money', null, null, null, BeneficiaryReference::class],
        'get' => ['GET', '/beneficiary', 'read', null, 'beneficiary', null, Beneficiary::class],
        'list' => ['GET', '/beneficiaries', 'read', null, null, 'beneficiaries', Beneficiary::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Create a beneficiary: somebody money may be sent to (`POST /beneficiary`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return BeneficiaryReference
     */
    public function create(array $parameters, array $options = []): BeneficiaryReference
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * Delete a beneficiary: `{ id }` or `{ beneficiary: { id } }` (`DELETE /beneficiary`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return BeneficiaryReference
     */
    public function delete(string $id, array $options = []): BeneficiaryReference
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['delete']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * A beneficiary by its id (`GET /beneficiary`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Beneficiary
     */
    public function get(string $id, array $options = []): Beneficiary
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * Beneficiaries, newest first (`GET /beneficiaries`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Beneficiary>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
