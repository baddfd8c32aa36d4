<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Caller;
use Quittance\Endpoint;
use Quittance\Model\FollowedEvents;
use Quittance\Model\ListedEvent;
use Quittance\Record;

class EventsMethods
{
    protected const ENDPOINTS = [
        'list' => ['GET', '/events', 'read', null, null, 'events', ListedEvent::class],
        'get' => ['GET', '/event', 'read', null, 'event', null, ListedEvent::class],
        'follow' => ['GET', '/events/follow', 'read', null, null, null, FollowedEvents::class],
        'redeliver' => ['POST', '/events/{id}/redeliver', 'create', null, 'event', null, ListedEvent::class],
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }

    /**
     * The events of the account as they were sent, newest first, with their deliveries; a key with scopes sees those it may ask for. What every receiver has got goes after 60 days (`GET /events`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return \Quittance\Pages<ListedEvent>
     */
    public function list(array $parameters = [], array $options = []): \Quittance\Pages
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['list']);
        return $this->caller->list($endpoint, $parameters, $options);
    }

    /**
     * One event as it was sent, with the exact text of its webhook and its deliveries (`GET /event`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return ListedEvent
     */
    public function get(string $id, array $options = []): ListedEvent
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['get']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }

    /**
     * The events of the account after one, oldest first, for a program without an address that webhooks reach. `wait` holds the answer until there is one. Go on with `after` of the answer: each event comes once, and none is left out. Without `after` it begins now (`GET /events/follow`).
     *
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return FollowedEvents
     */
    public function follow(array $parameters = [], array $options = []): FollowedEvents
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['follow']);
        return $this->caller->call($endpoint, $parameters, $options);
    }

    /**
     * Send an event again to each of its receivers, as it was (`POST /events/{id}/redeliver`).
     *
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @return ListedEvent
     */
    public function redeliver(string $id, array $options = []): ListedEvent
    {
        $endpoint = new Endpoint(...self::ENDPOINTS['redeliver']);
        return $this->caller->call($endpoint, ['id' => $id], $options);
    }
}
