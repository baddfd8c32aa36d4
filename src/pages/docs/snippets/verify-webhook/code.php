<?php
// $secret: whsec_… of the receiver. $headers: names in lower case. $body: the raw text as received,
// for example file_get_contents('php://input').
function verifyWebhook(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $timestamp = $headers['webhook-timestamp'];
    if (abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = "{$headers['webhook-id']}.{$timestamp}.{$body}";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}
