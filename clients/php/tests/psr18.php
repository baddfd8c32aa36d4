<?php

// Psr18Transport by a client that answers what it was sent. The interfaces are those of PSR-7, 17 and 18, as
// far as they are used, where the packages that declare them are not installed.

declare(strict_types=1);

namespace Psr\Http\Message {
    if (!interface_exists(RequestFactoryInterface::class)) {
        interface StreamInterface extends \Stringable
        {
        }
        interface MessageInterface
        {
        }
        interface RequestInterface extends MessageInterface
        {
        }
        interface ResponseInterface extends MessageInterface
        {
        }
        interface RequestFactoryInterface
        {
            public function createRequest(string $method, $uri): RequestInterface;
        }
        interface StreamFactoryInterface
        {
            public function createStream(string $content = ''): StreamInterface;
        }
    }
}

namespace Psr\Http\Client {
    if (!interface_exists(ClientInterface::class)) {
        interface ClientExceptionInterface extends \Throwable
        {
        }
        interface ClientInterface
        {
            public function sendRequest(
                \Psr\Http\Message\RequestInterface $request,
            ): \Psr\Http\Message\ResponseInterface;
        }
    }
}

namespace {
    use Psr\Http\Client\ClientExceptionInterface;
    use Psr\Http\Client\ClientInterface;
    use Psr\Http\Message\RequestFactoryInterface;
    use Psr\Http\Message\RequestInterface;
    use Psr\Http\Message\ResponseInterface;
    use Psr\Http\Message\StreamFactoryInterface;
    use Psr\Http\Message\StreamInterface;
    use Quittance\Exception\NetworkError;
    use Quittance\Http\Psr18Transport;
    use Quittance\Quittance;

    require __DIR__ . '/check.php';

    final class Text implements StreamInterface
    {
        public function __construct(private readonly string $text)
        {
        }

        public function __toString(): string
        {
            return $this->text;
        }
    }

    final class Sent implements RequestInterface, ResponseInterface
    {
        public array $headers = [];
        public ?StreamInterface $body = null;

        public function __construct(public readonly string $method, public readonly string $uri)
        {
        }

        public function withHeader(string $name, string $value): self
        {
            $other = clone $this;
            $other->headers[$name] = [$value];
            return $other;
        }

        public function withBody(StreamInterface $body): self
        {
            $other = clone $this;
            $other->body = $body;
            return $other;
        }

        public function getStatusCode(): int
        {
            return 200;
        }

        public function getHeaders(): array
        {
            return ['X-Request-Id' => ['abcdefghijkl']];
        }

        public function getBody(): StreamInterface
        {
            $said = str_ends_with($this->uri, '/time')
                ? ['time' => time()]
                : ['method' => $this->method, 'body' => (string) $this->body, 'key' => $this->headers['x-digest-key']];
            return new Text(json_encode($said));
        }
    }

    final class Broken extends RuntimeException implements ClientExceptionInterface
    {
    }

    final class Psr implements ClientInterface, RequestFactoryInterface, StreamFactoryInterface
    {
        public bool $isBroken = false;

        public function createRequest(string $method, $uri): RequestInterface
        {
            return new Sent($method, (string) $uri);
        }

        public function createStream(string $content = ''): StreamInterface
        {
            return new Text($content);
        }

        public function sendRequest(RequestInterface $request): ResponseInterface
        {
            return $this->isBroken ? throw new Broken('away') : $request;
        }
    }

    $psr = new Psr();
    $client = new Quittance(
        'k3y0fth3sh0p',
        'secret',
        'https://pay.example',
        maxRetries: 0,
        transport: new Psr18Transport($psr, $psr, $psr),
    );
    runCases([
        'a request goes as it is, and its answer comes back' => static function () use ($client): void {
            $answer = $client->checkout->create(['meta' => ['order' => '1']]);
            $wanted = ['method' => 'POST', 'body' => '{"meta":{"order":"1"}}', 'key' => ['k3y0fth3sh0p']];
            check($answer, $wanted);
        },
        'what the client throws is a NetworkError' => static function () use ($client, $psr): void {
            $psr->isBroken = true;
            try {
                $client->service->authTest();
                $seen = null;
            } catch (NetworkError $error) {
                $seen = $error->errorCode;
            }
            check($seen, 'no_answer');
        },
    ]);
}
