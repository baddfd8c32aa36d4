<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Suspense;
use Quittance\Record;

class SuspenseMethods
{
    protected const ENDPOINTS = [
        'list' => ['GET', '/suspense', 'read', null, null, 'suspense', Suspense::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Money that came for your checkouts and addresses and is not credited, newest first (`GET /suspense`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Suspense>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
