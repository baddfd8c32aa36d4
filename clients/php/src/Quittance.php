<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance;

use Quittance\Http\CurlTransport;
use Quittance\Http\Transport;

/** The API of one account, in the environment of the key: test or live. */
final class Quittance
{
    public const VERSION = '0.1.0';
    /** Of the API, that this was generated for. */
    public const API_VERSION = '2026-11-25';

    public readonly Resource\ServiceMethods $service;
    public readonly Resource\CatalogueMethods $catalogue;
    public readonly CheckoutResource $checkout;
    public readonly Resource\DepositAddressesMethods $depositAddresses;
    public readonly Resource\EventsMethods $events;
    public readonly Resource\RequestsMethods $requests;
    public readonly Resource\WebhookEndpointsMethods $webhookEndpoints;
    public readonly Resource\AccountSettingsMethods $accountSettings;
    public readonly Resource\SpendingLimitsMethods $spendingLimits;
    public readonly Resource\WalletsMethods $wallets;
    public readonly Resource\CustomersMethods $customers;
    public readonly Resource\SwapsMethods $swaps;
    public readonly Resource\BeneficiariesMethods $beneficiaries;
    public readonly Resource\TransfersMethods $transfers;
    public readonly Resource\SettlementRulesMethods $settlementRules;
    public readonly Resource\ApprovalsMethods $approvals;
    public readonly Resource\RefundsMethods $refunds;
    public readonly Resource\SuspenseMethods $suspense;
    public readonly ReportsResource $reports;
    public readonly SandboxResource $sandbox;
    /** Needs no client: `Webhooks::verify` as well. */
    public readonly Webhooks $webhooks;

    /**
     * @param string $key the API key: 12 characters
     * @param string $secret its secret: 29 characters; it never leaves this process
     * @param string $baseUrl where the service is: `https://pay.example`
     * @param float $timeoutSeconds for one attempt
     * @param int $maxRetries attempts after the first
     * @param string|null $originUrl sent as `X-Origin-URL`: the shop that asks, for display
     * @param Transport|null $transport curl unless given
     * @param Clock|null $clock for tests
     * @param \Closure(): float|null $random from 0 to below 1; for tests
     * @param string $apiVersion dated version of the API that each call names
     * @throws \InvalidArgumentException when key, secret or baseUrl is empty
     */
    public function __construct(
        string $key,
        #[\SensitiveParameter] string $secret,
        string $baseUrl,
        float $timeoutSeconds = 30,
        int $maxRetries = 2,
        ?string $originUrl = null,
        ?Transport $transport = null,
        ?Clock $clock = null,
        ?\Closure $random = null,
        string $apiVersion = self::API_VERSION,
    ) {
        $caller = new Caller(
            $key,
            $secret,
            $baseUrl,
            $timeoutSeconds,
            $maxRetries,
            $originUrl,
            $apiVersion,
            $transport ?? new CurlTransport(),
            $clock ?? new SystemClock(),
            $random ?? static fn (): float => mt_rand() / (mt_getrandmax() + 1),
        );
        $this->service = new Resource\ServiceMethods($caller);
        $this->catalogue = new Resource\CatalogueMethods($caller);
        $this->checkout = new CheckoutResource($caller);
        $this->depositAddresses = new Resource\DepositAddressesMethods($caller);
        $this->events = new Resource\EventsMethods($caller);
        $this->requests = new Resource\RequestsMethods($caller);
        $this->webhookEndpoints = new Resource\WebhookEndpointsMethods($caller);
        $this->accountSettings = new Resource\AccountSettingsMethods($caller);
        $this->spendingLimits = new Resource\SpendingLimitsMethods($caller);
        $this->wallets = new Resource\WalletsMethods($caller);
        $this->customers = new Resource\CustomersMethods($caller);
        $this->swaps = new Resource\SwapsMethods($caller);
        $this->beneficiaries = new Resource\BeneficiariesMethods($caller);
        $this->transfers = new Resource\TransfersMethods($caller);
        $this->settlementRules = new Resource\SettlementRulesMethods($caller);
        $this->approvals = new Resource\ApprovalsMethods($caller);
        $this->refunds = new Resource\RefundsMethods($caller);
        $this->suspense = new Resource\SuspenseMethods($caller);
        $this->reports = new ReportsResource($caller);
        $this->sandbox = new SandboxResource($caller, $this->checkout);
        $this->webhooks = new Webhooks();
    }
}
