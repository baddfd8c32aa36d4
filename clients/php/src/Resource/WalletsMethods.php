<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Wallet;
use Quittance\Record;

class WalletsMethods
{
    protected const ENDPOINTS = [
        'list' => ['GET', '/wallets', 'read', null, 'wallets', null, [Wallet::class]],
        'get' => ['GET', '/wallet', 'read', null, 'wallets', null, [Wallet::class]],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * Balances of every asset the account ever had, and where each can be paid to (`GET /wallets`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<Wallet>
     */
    public function list(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Balances of the assets with one code (several networks issue USDC), or of one asset id (`GET /wallet`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<Wallet>
     */
    public function get(string $assetCode, array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['assetCode' => $assetCode], $options);
    }
}
