<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\SandboxAnswer;
use Quittance\Model\SandboxFreeze;
use Quittance\Model\SandboxPayment;
use Quittance\Model\SandboxTip;
use Quittance\Record;

class SandboxMethods
{
    protected const ENDPOINTS = [
        'pay' => ['POST', '/sandbox/pay', 'create', null, 'payments', null, [SandboxPayment::class]],
        'mine' => ['POST', '/sandbox/mine', 'create', null, 'tips', null, [SandboxTip::class]],
        'replace' => ['POST', '/sandbox/replace', 'create', null, 'payments', null, [SandboxPayment::class]],
        'reorg' => ['POST', '/sandbox/reorg', 'create', null, 'tip', null, SandboxTip::class],
        'advance' => ['POST', '/sandbox/advance', 'create', null, null, null, SandboxAnswer::class],
        'expire' => ['POST', '/sandbox/expire', 'create', null, null, null, SandboxAnswer::class],
        'freeze' => ['POST', '/sandbox/freeze', 'create', null, null, null, SandboxFreeze::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Pay a test checkout or a test deposit address on a simulated network (`POST /sandbox/pay`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<SandboxPayment>
     */
    public function pay(array $parameters = [], array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['pay']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * Mine your payments on one simulated network, or on all, so many blocks deep (`POST /sandbox/mine`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<SandboxTip>
     */
    public function mine(array $parameters = [], array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['mine']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * Replace the unconfirmed payments of a test checkout (`POST /sandbox/replace`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<SandboxPayment>
     */
    public function replace(string $checkoutId, array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['replace']);
        return $this->caller->call($endpoint, ['checkoutId' => $checkoutId], $options);
    }

    /**
     * Undo blocks of a simulated network together with your payments in them (`POST /sandbox/reorg`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SandboxTip
     */
    public function reorg(string $network, array $parameters = [], array $options = []): SandboxTip
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['reorg']);
        return $this->caller->call($endpoint, [...$parameters, 'network' => $network], $options);
    }

    /**
     * Let time pass for your test data: blocks come, windows end, webhooks and rules fall due (`POST /sandbox/advance`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SandboxAnswer
     */
    public function advance(int|string $minutes, array $options = []): SandboxAnswer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['advance']);
        return $this->caller->call($endpoint, ['minutes' => $minutes], $options);
    }

    /**
     * End the payment window of a test checkout now (`POST /sandbox/expire`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SandboxAnswer
     */
    public function expire(string $checkoutId, array $options = []): SandboxAnswer
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['expire']);
        return $this->caller->call($endpoint, ['checkoutId' => $checkoutId], $options);
    }

    /**
     * Let the node of a simulated network fall silent for you for a while; 0 wakes it (`POST /sandbox/freeze`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return SandboxFreeze
     */
    public function freeze(
        string $network,
        array $parameters = [],
        array $options = [],
    ): SandboxFreeze {
        $endpoint = new Endpoint(...self::ENDPOINTS['freeze']);
        return $this->caller->call($endpoint, [...$parameters, 'network' => $network], $options);
    }
}
