<?php
// path without /api/v1 and without the query; body as it is sent, empty for GET
function sign(string $secret, string $path, int $time, string $method, string $body = ''): string
{
    return hash_hmac('sha256', strtolower($path) . $time . $method . $body, $secret);
}
