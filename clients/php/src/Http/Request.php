<?php

declare(strict_types=1);

namespace Quittance\Http;

/** One request as it is sent. */
final class Request
{
    /** @param array<string, string> $headers names in lower case */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly string $body,
        public readonly float $timeoutSeconds,
    ) {
    }
}
