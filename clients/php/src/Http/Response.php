<?php

declare(strict_types=1);

namespace Quittance\Http;

/** An answer as it came. */
final class Response
{
    /** @var array<string, string> names in lower case */
    private readonly array $headers;

    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        array $headers,
        public readonly string $body,
    ) {
        $this->headers = array_change_key_case($headers);
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }
}
