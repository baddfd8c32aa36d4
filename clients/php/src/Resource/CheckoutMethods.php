<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\ChargeTotals;
use Quittance\Model\Checkout;
use Quittance\Model\CheckoutCommitment;
use Quittance\Model\CreatedCheckout;
use Quittance\Model\CreatedHostedCheckout;
use Quittance\Record;

class CheckoutMethods
{
    protected const ENDPOINTS = [
        'create' => ['POST', '/checkout', 'create', null, null, null, CreatedCheckout::class],
        'get' => ['GET', '/checkout', 'read', null, 'checkout', null, Checkout::class],
        'commit' => ['POST', '/checkout/commit', 'idempotent', null, null, null, CheckoutCommitment::class],
        'createHosted' => ['POST', '/checkout/hosted', 'create', null, null, null, CreatedHostedCheckout::class],
        'validateCharge' => ['POST', '/checkout/validate-checkout-charge', 'idempotent', 'charge', null, null, ChargeTotals::class],
        'cancel' => ['POST', '/checkout/cancel', 'idempotent', null, 'checkout', null, Checkout::class],
        'acceptUnderpaid' => ['POST', '/checkout/accept-underpaid', 'idempotent', null, 'checkout', null, Checkout::class],
        'list' => ['GET', '/checkouts', 'read', null, null, 'checkouts', Checkout::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Create a self-hosted checkout (`POST /checkout`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return CreatedCheckout
     */
    public function create(array $parameters, array $options = []): CreatedCheckout
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['create']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * State of a checkout; `wait` holds the answer until the state changes (`GET /checkout`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Checkout
     */
    public function get(string $id, array $parameters = [], array $options = []): Checkout
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, [...$parameters, 'id' => $id], $options);
    }

    /**
     * Choose the payment method; a repeat changes nothing until the window is over (`POST /checkout/commit`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return CheckoutCommitment
     */
    public function commit(
        string $checkoutId,
        array $parameters = [],
        array $options = [],
    ): CheckoutCommitment {
        $endpoint = new Endpoint(...self::ENDPOINTS['commit']);
        return $this->caller->call($endpoint, [...$parameters, 'checkoutId' => $checkoutId], $options);
    }

    /**
     * Create a checkout with a hosted payment page (`POST /checkout/hosted`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return CreatedHostedCheckout
     */
    public function createHosted(array $parameters, array $options = []): CreatedHostedCheckout
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['createHosted']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * Check a charge and compute its total without creating anything (`POST /checkout/validate-checkout-charge`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return ChargeTotals
     */
    public function validateCharge(array $parameters, array $options = []): ChargeTotals
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['validateCharge']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * Cancel a checkout that no money was seen for; what still arrives is still credited (`POST /checkout/cancel`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Checkout
     */
    public function cancel(string $checkoutId, array $options = []): Checkout
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['cancel']);
        return $this->caller->call($endpoint, ['checkoutId' => $checkoutId], $options);
    }

    /**
     * Complete an underpaid checkout with what arrived (`POST /checkout/accept-underpaid`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Checkout
     */
    public function acceptUnderpaid(string $checkoutId, array $options = []): Checkout
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['acceptUnderpaid']);
        return $this->caller->call($endpoint, ['checkoutId' => $checkoutId], $options);
    }

    /**
     * Checkouts, newest first; created from `from` on and before `to`; `meta.<key>=` finds those with this text or number at the top of their `meta` (`GET /checkouts`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<Checkout>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }
}
