<?php

// The vectors that every client library passes. clients/README.md says what they are.

declare(strict_types=1);

use Quittance\Clock;
use Quittance\Exception\QuittanceError;
use Quittance\Exception\WebhookVerificationError;
use Quittance\Http\ConnectionFailed;
use Quittance\Http\Request;
use Quittance\Http\Response;
use Quittance\Http\TimedOut;
use Quittance\Http\Transport;
use Quittance\Pages;
use Quittance\Quittance;
use Quittance\Retry;
use Quittance\Signature;
use Quittance\Webhooks;

require __DIR__ . '/check.php';

const BESIDE = ['checkout.waitUntil', 'reports.document', 'sandbox.payAndConfirm', 'webhooks.verify'];

function vectors(string $name): array
{
    $folder = getenv('QUITTANCE_VECTORS') ?: __DIR__ . '/../../vectors';
    return json_decode(file_get_contents("$folder/$name.json"), true, 512, JSON_THROW_ON_ERROR);
}

/** A service that answers the same to everything but the question for the time. */
final class AnsweringTransport implements Transport
{
    /** @var list<Request> */
    public array $sent = [];

    public function __construct(private readonly Response $response)
    {
    }

    public function send(Request $request): Response
    {
        if (str_ends_with($request->url, '/api/v1/time')) {
            return new Response(200, [], '{"time":1700000000}');
        }
        $this->sent[] = $request;
        return $this->response;
    }
}

/** @return array{Quittance, AnsweringTransport} */
function answering(string $body = '{}', int $status = 200, array $headers = []): array
{
    $transport = new AnsweringTransport(new Response($status, $headers, $body));
    $client = new Quittance(
        'k3y0fth3sh0p',
        'secret',
        'https://pay.example/api/v1/',
        maxRetries: 0,
        transport: $transport,
    );
    return [$client, $transport];
}

/** A service that answers what a story says, and a clock that moves by what is slept and waited. */
final class PlayedService implements Transport, Clock
{
    public float $elapsed = 0;
    public float $jumped = 0;
    public int $count = 0;
    public int $timeRequests = 0;
    /** @var list<float> */
    public array $slept = [];
    /** @var list<string|null> */
    private array $keys = [];
    private ?Throwable $failed = null;

    public function __construct(
        private readonly array $story,
        private readonly string $key,
        private readonly string $secret,
    ) {
    }

    public function now(): float
    {
        return $this->story['clock']['local'] + $this->elapsed + $this->jumped;
    }

    public function sleep(float $seconds): void
    {
        $this->slept[] = $seconds;
        $this->elapsed += $seconds;
    }

    public function send(Request $request): Response
    {
        if ($request->url === 'https://pay.example/api/v1/time') {
            $this->timeRequests++;
            if ($this->story['isTimeAway']) {
                return new Response(503, [], '{"errors":["away"]}');
            }
            $time = (int) floor($this->story['clock']['service'] + $this->elapsed);
            return new Response(200, [], json_encode(['time' => $time]));
        }
        $exchange = $this->story['exchanges'][$this->count] ?? null;
        $this->count++;
        try {
            if ($exchange === null) {
                throw new RuntimeException("not in the story: $request->method $request->url");
            }
            $this->compare($exchange['request'], $request);
        } catch (RuntimeException $error) {
            $this->failed ??= $error;
            throw new ConnectionFailed($error->getMessage());
        }
        $this->elapsed += $exchange['takesSeconds'] ?? 0;
        $this->jumped += $exchange['clockJumpsSeconds'] ?? 0;
        $answer = $exchange['answer'];
        return match ($answer['failure'] ?? null) {
            'connection' => throw new ConnectionFailed('connection reset'),
            'timeout' => throw new TimedOut('too late'),
            default => new Response($answer['status'], $answer['headers'], $answer['body']),
        };
    }

    private function compare(array $wanted, Request $request): void
    {
        $url = parse_url($request->url);
        $query = [];
        foreach (array_filter(explode('&', $url['query'] ?? '')) as $pair) {
            [$name, $value] = explode('=', $pair, 2);
            $query[rawurldecode($name)] = rawurldecode($value);
        }
        check($request->method, $wanted['method']);
        check($url['path'], "/api/v1{$wanted['path']}");
        check($query, $wanted['query']);
        check($request->body === '' ? null : json_decode($request->body, true), $wanted['body']);
        check($request->headers['quittance-version'], $this->story['version']);
        check($request->headers['x-digest-key'], $this->key);
        $timestamp = (int) $request->headers['x-digest-timestamp'];
        if (isset($wanted['timestamp'])) {
            check($timestamp, $wanted['timestamp']);
        }
        $signature = Signature::ofRequest(
            $wanted['path'],
            $timestamp,
            $wanted['method'],
            $request->body,
            $this->secret,
        );
        check($request->headers['x-digest-signature'], $signature);
        $this->keys[] = $request->headers['idempotency-key'] ?? null;
    }

    public function finish(): void
    {
        if ($this->failed !== null) {
            throw $this->failed;
        }
        check($this->slept, $this->story['sleeps']);
        check($this->count, count($this->story['exchanges']));
        check($this->timeRequests, $this->story['timeRequests']);
        $first = $this->keys[0] ?? null;
        check(count(array_unique($this->keys)), 1);
        match ($this->story['idempotencyKey']) {
            'none' => check($first, null),
            'given' => check($first, $this->story['call']['idempotencyKey']),
            'one' => check(preg_match('/^[\x21-\x7e]{16,255}$/D', $first ?? ''), 1),
        };
    }
}

function playStory(array $story, array $methods, string $key, string $secret): void
{
    $service = new PlayedService($story, $key, $secret);
    $client = new Quittance(
        $key,
        $secret,
        'https://pay.example',
        maxRetries: $story['maxRetries'],
        transport: $service,
        clock: $service,
        random: static fn (): float => 0.0,
        apiVersion: $story['apiVersion'] ?? Quittance::API_VERSION,
    );
    try {
        $value = callOf($client, $story['call'], $methods);
        $outcome = isset($story['outcome']['items']) ? ['items' => $value] : ['value' => $value];
    } catch (QuittanceError $error) {
        $outcome = ['error' => [
            'class' => (new ReflectionClass($error))->getShortName(),
            'status' => $error->status,
            'code' => $error->errorCode,
            'errors' => $error->errors,
            'requestId' => $error->requestId,
            'retryAfterSeconds' => $error->retryAfterSeconds,
            'retryable' => $error->retryable,
        ]];
    }
    $service->finish();
    check($outcome, $story['outcome']);
}

function callOf(Quittance $client, array $call, array $methods): mixed
{
    $given = $call['arguments'];
    if ($call['method'] === 'checkout.waitUntil') {
        $seconds = $given['timeoutSeconds'] ?? 3600;
        return $client->checkout->waitUntil($given['id'], $given['states'] ?? 'COMPLETED', $seconds);
    }
    [$resource, $short] = explode('.', $call['method']);
    $alone = $methods[$call['method']]['argument'];
    $hasParameters = (new ReflectionMethod($client->$resource, $short))->getParameters();
    $names = array_map(static fn (ReflectionParameter $one) => $one->getName(), $hasParameters);
    $rest = array_diff_key($given, [(string) $alone => true]);
    $options = isset($call['idempotencyKey']) ? ['idempotencyKey' => $call['idempotencyKey']] : [];
    $parameters = [
        ...($alone === null ? [] : [$alone => $given[$alone]]),
        ...(in_array('parameters', $names, true) ? ['parameters' => $rest] : []),
        'options' => $options,
    ];
    $answer = $client->$resource->$short(...$parameters);
    return $answer instanceof Pages ? $answer->all() : $answer;
}

/** A decimal without exponent and without zeros that do not count. */
function plainNumber(string $text): string
{
    preg_match('/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/', $text, $parts);
    [, $sign, $whole, $fraction, $power] = $parts + ['', '', '', '', '0'];
    $places = strlen($fraction) - (int) $power;
    $digits = str_pad($whole . $fraction, max(0, $places + 1), '0', STR_PAD_LEFT);
    $digits = str_pad($digits, strlen($digits) - min(0, $places), '0');
    $point = strlen($digits) - max(0, $places);
    $left = ltrim(substr($digits, 0, $point), '0') ?: '0';
    $right = rtrim(substr($digits, $point), '0');
    $value = $left . ($right === '' ? '' : ".$right");
    return $value === '0' ? '0' : $sign . $value;
}

$cases = [];
$methods = array_column(vectors('methods')['methods'], null, 'name');
$signing = vectors('signing');

foreach ($signing['requests'] as $one) {
    $cases["signing: {$one['name']}"] = static function () use ($one): void {
        $body = $one['body'] ?? hex2bin($one['bodyHex']);
        $signature = Signature::ofRequest($one['path'], $one['timestamp'], $one['method'], $body, $one['secret']);
        check($signature, $one['signature']);
    };
}
foreach ($signing['basic'] as $one) {
    $cases["signing: X-Basic of {$one['key']}"] = static function () use ($one): void {
        check(Signature::basic($one['key'], $one['secret']), $one['value']);
    };
}
foreach (vectors('webhooks')['webhooks'] as $one) {
    $cases["webhooks: {$one['name']}"] = static function () use ($one): void {
        try {
            $event = Webhooks::verify(
                $one['payload'],
                $one['headers'],
                $one['secret'],
                $one['toleranceSeconds'],
                $one['now'],
            );
            check($event, json_decode($one['payload'], true));
            $seen = 'good';
        } catch (WebhookVerificationError $error) {
            $seen = $error->errorCode;
        }
        check($seen, $one['outcome']);
    };
}
$numbers = vectors('numbers');
foreach ($numbers['answers'] as $one) {
    $cases["numbers: {$one['json']} in an answer"] = static function () use ($one): void {
        [$client] = answering("{\"meta\":{\"value\":{$one['json']}}}");
        $value = $client->service->openapi()->meta->value;
        check(!is_string($value), $one['isDouble']);
        $text = is_string($value) ? $value : json_encode($value);
        check(plainNumber($text), $one['decimal']);
    };
}
foreach ($numbers['amounts'] as $amount) {
    $cases["numbers: the amount $amount stays as it is"] = static function () use ($amount): void {
        [$client] = answering(json_encode(['amount' => $amount]));
        check($client->service->openapi()->amount, $amount);
    };
}
foreach ($numbers['requests'] as $one) {
    // PHP has no exact decimals of its own.
    if ($one['kind'] === 'decimal') {
        continue;
    }
    $cases["numbers: {$one['name']} in a request"] = static function () use ($one): void {
        $value = match (true) {
            $one['kind'] === 'text' => $one['text'],
            $one['kind'] === 'integer' => (int) $one['text'],
            default => ['NaN' => NAN, 'Infinity' => INF][$one['text']] ?? (float) $one['text'],
        };
        $item = ['description' => 'Book', 'netAmount' => $one['inMeta'] ? '1' : $value];
        $request = ['charge' => ['billingCurrency' => 'EUR', 'lineItems' => [$item]]];
        $request['meta'] = ['value' => $one['inMeta'] ? $value : 1];
        [$client, $transport] = answering();
        $isRefused = false;
        try {
            $client->checkout->create($request);
        } catch (InvalidArgumentException) {
            $isRefused = true;
        }
        check($isRefused, $one['sent'] === null);
        $body = $transport->sent[0]->body ?? null;
        if ($one['sent'] === null) {
            check($body, null);
        } else {
            $field = $one['inMeta'] ? '"value":' : '"netAmount":';
            check(str_contains((string) $body, "$field{$one['sent']}}"), true);
        }
    };
}
$cases['methods: these and no others'] = static function () use ($methods): void {
    [$client] = answering();
    $found = [];
    foreach (get_object_vars($client) as $resource => $object) {
        foreach ((new ReflectionClass($object))->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
            if (!$method->isConstructor()) {
                $found[] = "$resource.{$method->getName()}";
            }
        }
    }
    $wanted = [...array_keys($methods), ...BESIDE];
    sort($found);
    sort($wanted);
    check($found, $wanted);
};
foreach ($methods as $name => $one) {
    $cases["methods: $name"] = static function () use ($name, $one, $methods): void {
        $row = ['id' => 'a row'];
        $body = $one['pages'] === 'report.rows'
            ? ['report' => ['rows' => [$row]], 'nextCursor' => null]
            : [$one['pages'] ?? $one['returns'] ?? 'whole' => $one['pages'] === null ? $row : [$row], 'nextCursor' => null];
        if ($name === 'service.time') {
            [$client] = answering();
            check($client->service->time(), 1_700_000_000);
            return;
        }
        [, $short] = explode('.', $name);
        [$client, $transport] = answering(json_encode($body));
        $resource = explode('.', $name)[0];
        $method = new ReflectionMethod($client->$resource, $short);
        $type = (string) $method->getReturnType();
        if ($type === 'array' && $one['pages'] === null) {
            [$client, $transport] = answering(json_encode([$one['returns'] => [$row]]));
        }
        $alone = $one['argument'];
        $given = $alone === null ? ['a' => '1'] : [$alone => 'abcdefghijkl'];
        $hasParameters = count($method->getParameters()) > ($alone === null ? 1 : 2);
        callOf($client, ['method' => $name, 'arguments' => $given], $methods);
        $request = $transport->sent[0];
        $url = parse_url($request->url);
        check($request->method, $one['method']);
        check($url['path'], '/api/v1' . str_replace('{id}', 'abcdefghijkl', $one['path']));
        $sent = str_contains($one['path'], '{id}') ? [] : ($alone !== null || $hasParameters ? $given : []);
        if ($one['method'] === 'GET') {
            parse_str($url['query'] ?? '', $query);
            check($query, $sent);
            return;
        }
        $json = json_decode($request->body, true);
        check($one['wrap'] === null ? $json : $json[$one['wrap']], $sent);
    };
}
foreach (vectors('errors')['codes'] as $one) {
    $cases["errors: {$one['status']} {$one['code']}"] = static function () use ($one): void {
        [$client] = answering('{"errors":["Text."]}', $one['status'], ['X-Error-Code' => $one['code']]);
        try {
            $client->service->authTest();
            throw new RuntimeException('no error');
        } catch (QuittanceError $error) {
            $class = (new ReflectionClass($error))->getShortName();
            check([$class, $error->errorCode, $error->retryable], [$one['class'], $one['code'], $one['retryable']]);
        }
    };
}
foreach (vectors('retries')['delays'] as $at => $one) {
    $cases["retries: delay $at"] = static function () use ($one): void {
        $delay = Retry::delay($one['attempt'], $one['retryAfterSeconds'], $one['random'], $one['isMoney']);
        check($delay, $one['delaySeconds']);
    };
}
foreach (['errors', 'retries', 'paging', 'idempotency', 'clock', 'waiting', 'versions'] as $file) {
    foreach (vectors($file)['stories'] as $story) {
        $cases["$file: {$story['name']}"] = static function () use ($story, $methods, $signing): void {
            playStory($story, $methods, $signing['key'], $signing['secret']);
        };
    }
}

runCases($cases);
