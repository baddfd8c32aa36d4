<?php

declare(strict_types=1);

namespace Quittance;

use Quittance\Exception\NetworkError;
use Quittance\Exception\QuittanceError;
use Quittance\Exception\RequestTimeoutError;
use Quittance\Http\ConnectionFailed;
use Quittance\Http\Request;
use Quittance\Http\Response;
use Quittance\Http\TimedOut;
use Quittance\Http\Transport;

/**
 * @internal One call of the API: signed with the time of the service, timed out, tried again where that is
 * safe. Guarantees: every attempt of a call sends the same bytes and the same Idempotency-Key; an attempt of
 * the class money is never signed as the one before it; no redirect is followed.
 */
final class Caller
{
    private const BASE_PATH = '/api/v1';
    /** Half of what the service lets a timestamp be ahead would do; seconds are rounded on both sides. */
    private const CLOCK_OFF_SECONDS = 2;

    private readonly string $base;
    /** What is added to the machine's clock; asked for once. */
    private ?float $offset = null;

    /** @param \Closure(): float $random */
    public function __construct(
        private readonly string $key,
        #[\SensitiveParameter] private readonly string $secret,
        string $baseUrl,
        private readonly float $timeoutSeconds,
        private readonly int $maxRetries,
        private readonly ?string $originUrl,
        private readonly string $apiVersion,
        private readonly Transport $transport,
        public readonly Clock $clock,
        private readonly \Closure $random,
    ) {
        foreach (['key' => $key, 'secret' => $secret, 'baseUrl' => $baseUrl] as $name => $value) {
            if ($value === '') {
                throw new \InvalidArgumentException("$name is missing");
            }
        }
        $this->base = preg_replace('#/api/v1$#', '', rtrim($baseUrl, '/')) . self::BASE_PATH;
    }

    /**
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     */
    public function call(Endpoint $endpoint, array $parameters, array $options = []): mixed
    {
        $json = Answer::json($this->send($endpoint, $parameters, $options));
        $value = $endpoint->returns === null ? $json : ($json[$endpoint->returns] ?? null);
        return Record::wrap($value, $endpoint->type);
    }

    /**
     * @param array<string, mixed> $parameters
     * @param array{timeoutSeconds?: float, maxRetries?: int} $options
     */
    public function list(Endpoint $endpoint, array $parameters, array $options = []): Pages
    {
        return new Pages(function (?string $cursor) use ($endpoint, $parameters, $options): array {
            $more = $cursor === null ? [] : ['cursor' => $cursor];
            $response = $this->send($endpoint, [...$parameters, ...$more], $options);
            $json = Answer::json($response);
            $items = $json;
            foreach (explode('.', (string) $endpoint->pages) as $name) {
                $items = $items[$name] ?? [];
            }
            $type = is_string($endpoint->type) ? [$endpoint->type] : $endpoint->type;
            $page = new Page(Record::wrap($items, $type), $json['nextCursor'] ?? null);
            return [$page, $response->header('x-request-id')];
        });
    }

    /**
     * @param array<string, mixed> $parameters
     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options
     * @throws QuittanceError
     */
    public function send(Endpoint $endpoint, array $parameters, array $options = []): Response
    {
        $path = $endpoint->path;
        if (str_contains($path, '{id}')) {
            $path = str_replace('{id}', rawurlencode((string) ($parameters['id'] ?? '')), $path);
            unset($parameters['id']);
        }
        $isRead = $endpoint->method === 'GET';
        $query = $isRead ? self::queryOf($parameters) : '';
        $sent = $endpoint->wrap === null ? $parameters : [$endpoint->wrap => (object) $parameters];
        $body = $isRead ? '' : ExactJson::write($endpoint->wrap === null ? $sent : self::plain($sent));
        $idempotencyKey = $endpoint->method === 'POST' ? ($options['idempotencyKey'] ?? self::uuid()) : null;
        $maxRetries = $options['maxRetries'] ?? $this->maxRetries;
        $seconds = $options['timeoutSeconds'] ?? $this->timeoutSeconds;
        $held = $isRead ? (float) ($parameters['wait'] ?? 0) : 0.0;
        $hasResigned = false;
        for ($attempt = 0; ; $attempt++) {
            $headers = $this->headers($endpoint, $path, $body, $idempotencyKey, $seconds);
            $request = new Request(
                $endpoint->method,
                $this->base . $path . $query,
                $headers,
                $body,
                $seconds + $held,
            );
            $outcome = $this->exchange($request);
            if ($outcome instanceof Response) {
                return $outcome;
            }
            if ($outcome->status === 401 && !$hasResigned && $endpoint->auth !== 'public') {
                $hasResigned = true;
                if ($this->wasClockOff($seconds)) {
                    $attempt--;
                    continue;
                }
            }
            $random = ($this->random)();
            $isMoney = $endpoint->auth === 'money';
            $delay = Retry::delay($attempt, $outcome->retryAfterSeconds, $random, $isMoney);
            if (!$outcome->retryable || $attempt >= $maxRetries || $delay === null) {
                throw $outcome;
            }
            $this->clock->sleep($delay);
        }
    }

    private function exchange(Request $request): Response|QuittanceError
    {
        try {
            $response = $this->transport->send($request);
        } catch (TimedOut $error) {
            $text = "no answer within {$request->timeoutSeconds} s";
            return new RequestTimeoutError($text, null, 'timeout', retryable: true, previous: $error);
        } catch (ConnectionFailed $error) {
            $text = "no answer from {$this->base}: {$error->getMessage()}";
            return new NetworkError($text, null, 'no_answer', retryable: true, previous: $error);
        }
        return $response->status === 200 ? $response : Answer::error($response);
    }

    /** @return array<string, string> */
    private function headers(
        Endpoint $endpoint,
        string $path,
        string $body,
        ?string $idempotencyKey,
        float $seconds,
    ): array {
        $headers = array_filter([
            'accept' => 'application/json',
            'user-agent' => 'quittance-php/' . Quittance::VERSION,
            'quittance-version' => $this->apiVersion,
            'content-type' => $endpoint->method === 'GET' ? null : 'application/json',
            'idempotency-key' => $idempotencyKey,
            'x-origin-url' => $this->originUrl,
        ], static fn (?string $value) => $value !== null);
        if ($endpoint->auth === 'public') {
            return $headers;
        }
        $this->offset ??= $this->askOffset($seconds);
        $timestamp = (int) floor($this->clock->now() + $this->offset);
        return [
            ...$headers,
            'x-digest-key' => $this->key,
            'x-digest-timestamp' => (string) $timestamp,
            'x-digest-signature' => Signature::ofRequest(
                $path,
                $timestamp,
                $endpoint->method,
                $body,
                $this->secret,
            ),
        ];
    }

    /** Where the time cannot be had, the machine's clock is taken. */
    private function askOffset(float $seconds): float
    {
        $request = new Request('GET', "$this->base/time", ['accept' => 'application/json'], '', $seconds);
        $response = $this->exchange($request);
        if (!$response instanceof Response) {
            return 0.0;
        }
        $time = json_decode($response->body, true)['time'] ?? null;
        return is_int($time) ? $time - $this->clock->now() : 0.0;
    }

    /** Asks for the time again, and says whether the time that was signed with was another one. */
    private function wasClockOff(float $seconds): bool
    {
        $before = $this->offset ?? 0.0;
        $this->offset = $this->askOffset($seconds);
        return abs($this->offset - $before) >= self::CLOCK_OFF_SECONDS;
    }

    /** @param array<string, mixed> $wrapped */
    private static function plain(array $wrapped): array
    {
        return array_map(static fn (object $inside) => (array) $inside ?: new \stdClass(), $wrapped);
    }

    /**
     * An object as `meta` becomes one parameter for each of its names: `meta.order`.
     *
     * @param array<string, mixed> $parameters
     */
    private static function queryOf(array $parameters): string
    {
        $flat = [];
        foreach ($parameters as $name => $value) {
            foreach (is_array($value) ? $value : ['' => $value] as $inner => $one) {
                if ($one !== null) {
                    $flat[$inner === '' ? $name : "$name.$inner"] = self::queryText($name, $one);
                }
            }
        }
        $query = http_build_query($flat, '', '&', PHP_QUERY_RFC3986);
        return $query === '' ? '' : "?$query";
    }

    private static function queryText(string $name, mixed $value): string
    {
        return match (true) {
            is_float($value) => throw new \InvalidArgumentException("$name: an amount is a text, never a float"),
            is_bool($value) => $value ? 'true' : 'false',
            $value instanceof \DateTimeInterface => $value->format('Y-m-d\TH:i:s.vP'),
            default => (string) $value,
        };
    }

    /** A random one (RFC 9562, version 4). */
    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
