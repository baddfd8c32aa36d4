<?php

declare(strict_types=1);

namespace Quittance\Http;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * By a PSR-18 client of your own. Its time-out is set at the client, since PSR-18 has none for a single
 * request: make it longer than 25 seconds where answers are held (`wait`).
 */
final class Psr18Transport implements Transport
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    public function send(Request $request): Response
    {
        $sent = $this->requests->createRequest($request->method, $request->url);
        foreach ($request->headers as $name => $value) {
            $sent = $sent->withHeader($name, $value);
        }
        if ($request->body !== '') {
            $sent = $sent->withBody($this->streams->createStream($request->body));
        }
        try {
            $answer = $this->client->sendRequest($sent);
        } catch (ClientExceptionInterface $error) {
            throw new ConnectionFailed($error->getMessage(), 0, $error);
        }
        $headers = array_map(
            static fn (array $values) => implode(', ', $values),
            $answer->getHeaders(),
        );
        return new Response($answer->getStatusCode(), $headers, (string) $answer->getBody());
    }
}
