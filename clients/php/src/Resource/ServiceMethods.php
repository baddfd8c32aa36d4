<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Authentication;
use Quittance\Model\Language;
use Quittance\Record;

class ServiceMethods
{
    protected const ENDPOINTS = [
        'time' => ['GET', '/time', 'public', null, 'time', null, null],
        'authTest' => ['GET', '/auth-test', 'read', null, null, null, Authentication::class],
        'languages' => ['GET', '/languages', 'public', null, 'languages', null, [Language::class]],
        'openapi' => ['GET', '/openapi.json', 'public', null, null, null, null],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Current Unix timestamp of the service (`GET /time`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return int
     */
    public function time(array $options = []): int
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['time']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Verify credentials (`GET /auth-test`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Authentication
     */
    public function authTest(array $options = []): Authentication
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['authTest']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Languages of hosted pages (`GET /languages`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<Language>
     */
    public function languages(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['languages']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * This document (`GET /openapi.json`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Record
     */
    public function openapi(array $options = []): Record
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['openapi']);
        return $this->caller->call($endpoint, [], $options);
    }
}
