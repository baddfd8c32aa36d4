<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Record;

class ReportsMethods
{
    protected const ENDPOINTS = [
        'balances' => ['GET', '/reports/balances', 'read', null, null, 'report.rows', null],
        'ledger' => ['GET', '/reports/ledger', 'read', null, null, 'report.rows', null],
        'settlements' => ['GET', '/reports/settlements', 'read', null, null, 'report.rows', null],
        'fees' => ['GET', '/reports/fees', 'read', null, null, 'report.rows', null],
        'taxes' => ['GET', '/reports/taxes', 'read', null, null, 'report.rows', null],
        'conversions' => ['GET', '/reports/conversions', 'read', null, null, 'report.rows', null],
        'gains' => ['GET', '/reports/gains', 'read', null, null, 'report.rows', null],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Balances at the beginning and the end of the period, and what moved between; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/balances`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Record>
     */
    public function balances(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['balances']);
        return $this->caller->list($endpoint, $parameters, $options);
    }

    /**
     * Every movement on the accounts of the merchant; oldest first, as JSON or CSV, or as programs of accounting read it (then X-Next-Cursor is a header) (`GET /reports/ledger`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Record>
     */
    public function ledger(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['ledger']);
        return $this->caller->list($endpoint, $parameters, $options);
    }

    /**
     * Every payment that became available, with what was paid, credited and kept as a fee; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/settlements`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Record>
     */
    public function settlements(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['settlements']);
        return $this->caller->list($endpoint, $parameters, $options);
    }

    /**
     * Every fee: of the service, and of networks on transfers (a page may hold fewer than asked for); oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/fees`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Record>
     */
    public function fees(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['fees']);
        return $this->caller->list($endpoint, $parameters, $options);
    }

    /**
     * Net, taxes and total of the checkouts completed in the period, in their billing currencies, and less (below zero) what of any was refunded in it; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/taxes`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Record>
     */
    public function taxes(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['taxes']);
        return $this->caller->list($endpoint, $parameters, $options);
    }

    /**
     * Every exchange of one asset for another, with its worth at receipt and at disposal; by the prices that were stored then, oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/conversions`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Record>
     */
    public function conversions(array $parameters, array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['conversions']);
        return $this->caller->list($endpoint, $parameters, $options);
    }

    /**
     * What was received, exchanged and sent, each with its worth then, its cost and the gain; by the prices that were stored then, oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/gains`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Record>
     */
    public function gains(array $parameters, array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['gains']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
