<?php

declare(strict_types=1);

namespace Quittance;

final class Signature
{
    /** The value of `X-Digest-Signature`. `$path` has neither `/api/v1` nor a query. */
    public static function ofRequest(
        string $path,
        int $timestamp,
        string $method,
        string $body,
        string $secret,
    ): string {
        $verb = strtoupper($method);
        $signed = strtolower($path) . $timestamp . $verb . ($verb === 'GET' ? '' : $body);
        return hash_hmac('sha256', $signed, $secret);
    }

    /** The value of `X-Basic`: a static one, for trying things out with a test key. */
    public static function basic(string $key, string $secret): string
    {
        return hash('sha256', "$key:$secret");
    }
}
