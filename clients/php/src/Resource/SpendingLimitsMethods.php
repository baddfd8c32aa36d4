<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\SpendingLimit;
use Quittance\Record;

class SpendingLimitsMethods
{
    protected const ENDPOINTS = [
        'get' => ['GET', '/spending-limits', 'read', null, 'spendingLimits', null, [SpendingLimit::class]],
        'update' => ['PUT', '/spending-limit', 'idempotent', null, 'spendingLimits', null, [SpendingLimit::class]],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * How much may be sent out by transfers, refunds and swaps: DAY in any 24 hours, TWO_PEOPLE without a second approver, COOL_DOWN to a free address at once (`GET /spending-limits`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<SpendingLimit>
     */
    public function get(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Lower a limit of the account, or set one where there is none; the operator raises it (`PUT /spending-limit`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<SpendingLimit>
     */
    public function update(array $parameters, array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['update']);
        return $this->caller->call($endpoint, $parameters, $options);
    }
}
