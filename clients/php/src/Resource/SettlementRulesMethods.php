<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\SettlementRule;
use Quittance\Model\SettlementRuleAnswer;
use Quittance\Model\SettlementRuleReference;
use Quittance\Record;

class SettlementRulesMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/settlement-rule', 'money', null, 'settlementRule', null, SettlementRule::class],
        'delete' => ['DELETE', '/settlement-rule', 'money', null, null, null, SettlementRuleReference::class],
        'get' => ['GET', '/settlement-rule', 'read', null, null, null, SettlementRuleAnswer::class],
        'pause' => ['POST', '/settlement-rule/pause', 'money', null, 'settlementRule', null, SettlementRule::class],
        'resume' => ['POST', '/settlement-rule/resume', 'money', null, 'settlementRule', null, SettlementRule::class],
        'list' => ['GET', '/settlement-rules', 'read', null, null, 'settlementRules', SettlementRule::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Settle a balance by itself: at an hour of a schedule or above a threshold, by conversion (`convertTo`), to a beneficiary, or both; `keep` stays (`POST /settlement-rule`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SettlementRule
     */
    public function create(array $parameters, array $options = []): SettlementRule
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * Delete a settlement rule; what it did stays (`DELETE /settlement-rule`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SettlementRuleReference
     */
    public function delete(string $id, array $options = []): SettlementRuleReference
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['delete']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * A settlement rule, and what it did in its last 50 periods, newest first (`GET /settlement-rule`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SettlementRuleAnswer
     */
    public function get(string $id, array $options = []): SettlementRuleAnswer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * Do nothing by a rule from now on (`POST /settlement-rule/pause`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SettlementRule
     */
    public function pause(string $settlementRuleId, array $options = []): SettlementRule
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['pause']);
        return $this->caller->call($endpoint, ['settlementRuleId' => $settlementRuleId], $options);
    }

    /**
     * Follow a rule again, from the period that comes next (`POST /settlement-rule/resume`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SettlementRule
     */
    public function resume(string $settlementRuleId, array $options = []): SettlementRule
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['resume']);
        return $this->caller->call($endpoint, ['settlementRuleId' => $settlementRuleId], $options);
    }

    /**
     * Settlement rules, newest first (`GET /settlement-rules`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<SettlementRule>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
