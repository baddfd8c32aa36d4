<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Asset;
use Quittance\Model\AssetIssuer;
use Quittance\Model\Blockchain;
use Quittance\Model\Currency;
use Quittance\Model\ExchangeRate;
use Quittance\Model\FiatCurrency;
use Quittance\Model\Network;
use Quittance\Record;

class CatalogueMethods
{
    protected const ENDPOINTS = [
        'networks' => ['GET', '/networks', 'read', null, 'networks', null, [Network::class]],
        'assets' => ['GET', '/assets', 'read', null, 'assets', null, [Asset::class]],
        'currencies' => ['GET', '/currencies', 'read', null, 'currencies', null, [Currency::class]],
        'fiatCurrencies' => ['GET', '/fiat-currencies', 'read', null, 'fiatCurrencies', null, [FiatCurrency::class]],
        'blockchains' => ['GET', '/blockchains', 'read', null, 'blockchains', null, [Blockchain::class]],
        'assetIssuers' => ['GET', '/asset-issuers', 'read', null, 'assetIssuers', null, [AssetIssuer::class]],
        'exchangeRate' => ['GET', '/exchange-rate', 'read', null, null, null, ExchangeRate::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Networks that payments can come from and transfers can go to (`GET /networks`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<Network>
     */
    public function networks(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['networks']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Assets and what they can be used for (`GET /assets`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<Asset>
     */
    public function assets(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['assets']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Currencies of charges, settlements and payments (`GET /currencies`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<Currency>
     */
    public function currencies(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['currencies']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Currencies of states that a charge may be in (older catalogue) (`GET /fiat-currencies`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<FiatCurrency>
     */
    public function fiatCurrencies(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['fiatCurrencies']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Blockchains and their native assets (older catalogue) (`GET /blockchains`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<Blockchain>
     */
    public function blockchains(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['blockchains']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Issuers and the ids of their assets (older catalogue) (`GET /asset-issuers`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<AssetIssuer>
     */
    public function assetIssuers(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['assetIssuers']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * What an amount of one asset or currency is in another, now and without commitment (`GET /exchange-rate`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return ExchangeRate
     */
    public function exchangeRate(array $parameters, array $options = []): ExchangeRate
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['exchangeRate']);
        return $this->caller->call($endpoint, $parameters, $options);
    }
}
