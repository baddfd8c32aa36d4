<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\AccountSettings;
use Quittance\Model\PageLook;
use Quittance\Record;

class AccountSettingsMethods
{
    protected const ENDPOINTS = [
        'get' => ['GET', '/account-settings', 'read', null, 'accountSettings', null, AccountSettings::class],
        'update' => ['PUT', '/account-settings', 'idempotent', null, 'accountSettings', null, AccountSettings::class],
        'getPageLook' => ['GET', '/page-look', 'read', null, 'pageLook', null, PageLook::class],
        'updatePageLook' => ['PUT', '/page-look', 'idempotent', null, 'pageLook', null, PageLook::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Settings of the account for the environment of the key (`GET /account-settings`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return AccountSettings
     */
    public function get(array $options = []): AccountSettings
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Change settings of the account; what is absent stays, and new checkouts follow: assets above `riskTolerance` are neither offered nor settled in; lists are all there is afterwards; what is of both environments is set with a live key (`PUT /account-settings`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return AccountSettings
     */
    public function update(array $parameters = [], array $options = []): AccountSettings
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['update']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * How the hosted pages of the account look (`GET /page-look`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return PageLook
     */
    public function getPageLook(array $options = []): PageLook
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['getPageLook']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Change how the hosted pages look, with a live key; what is absent stays, null takes back, and lists are all there is afterwards (`PUT /page-look`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return PageLook
     */
    public function updatePageLook(array $parameters = [], array $options = []): PageLook
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['updatePageLook']);
        return $this->caller->call($endpoint, $parameters, $options);
    }
}
