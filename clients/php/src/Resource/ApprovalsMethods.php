<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\Approval;
use Quittance\Record;

class ApprovalsMethods
{
    protected const ENDPOINTS = [
        'list' => ['GET', '/approvals', 'read', null, 'approvals', null, [Approval::class]],
        'approve' => ['POST', '/approval', 'money', null, 'approval', null, Approval::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * What waits for a second approver, because it is above the limit TWO_PEOPLE (`GET /approvals`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return list<Approval>
     */
    public function list(array $options = []): array
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->call($endpoint, [], $options);
    }

    /**
     * Approve what another key made; it is sent soon after, and not before (`POST /approval`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return Approval
     */
    public function approve(string $subject, array $options = []): Approval
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['approve']);
        return $this->caller->call($endpoint, ['subject' => $subject], $options);
    }
}
