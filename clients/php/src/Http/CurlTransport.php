<?php

declare(strict_types=1);

namespace Quittance\Http;

/** By the extension curl; one connection is kept for the next request. */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $handle = null;

    public function send(Request $request): Response
    {
        $this->handle ??= curl_init() ?: throw new ConnectionFailed('curl cannot be used');
        curl_reset($this->handle);
        $headers = [];
        $sent = array_map(
            static fn (string $name, string $value) => "$name: $value",
            array_keys($request->headers),
            $request->headers,
        );
        curl_setopt_array($this->handle, [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            // Without "expect" curl waits for a 100 before a larger body.
            CURLOPT_HTTPHEADER => [...$sent, 'expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ceil($request->timeoutSeconds * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                if ($value !== '') {
                    $headers[strtolower(trim($name))] = trim($value);
                }
                return strlen($line);
            },
        ]);
        if ($request->method !== 'GET') {
            curl_setopt($this->handle, CURLOPT_POSTFIELDS, $request->body);
        }
        $body = curl_exec($this->handle);
        if (!is_string($body)) {
            $message = curl_error($this->handle);
            throw curl_errno($this->handle) === CURLE_OPERATION_TIMEDOUT
                ? new TimedOut($message)
                : new ConnectionFailed($message);
        }
        return new Response(curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }
}
