<?php

declare(strict_types=1);

namespace Quittance;

use Quittance\Exception\WebhookVerificationError;

/**
 * Whether a webhook comes from the service. Two signatures: Standard Webhooks (`whsec_…`), which covers
 * the time of the attempt, and X-Webhook-Auth (the API secret), which covers the body alone.
 */
final class Webhooks
{
    private const TOLERANCE_SECONDS = 300;
    private const PREFIX = 'whsec_';
    private const SECRET_BYTES_LEAST = 24;

    /**
     * Gives the event when one of the secrets signed it. Needs no client.
     *
     * @param string $payload the body as it came, `file_get_contents('php://input')`: JSON that was parsed
     *     and written again is another text
     * @param array<string, string|list<string>> $headers names in any letters, as of `getallheaders()`
     * @param string|list<string> $secret
     * @param int|null $toleranceSeconds how old it may be, or how far ahead of our clock; 300 unless given
     * @param int|null $now Unix seconds; the machine's unless given
     *
     * @throws WebhookVerificationError with the fault of the first secret
     */
    public static function verify(
        string $payload,
        array $headers,
        #[\SensitiveParameter] string|array $secret,
        ?int $toleranceSeconds = null,
        ?int $now = null,
    ): Record {
        $first = null;
        foreach ((array) $secret as $one) {
            try {
                if (str_starts_with($one, self::PREFIX)) {
                    $tolerance = $toleranceSeconds ?? self::TOLERANCE_SECONDS;
                    self::checkStandard($payload, $headers, $one, $tolerance, $now ?? time());
                } else {
                    self::checkWebhookAuth($payload, $headers, $one);
                }
            } catch (WebhookVerificationError $error) {
                $first ??= $error;
                continue;
            }
            return self::parseEvent($payload);
        }
        throw $first ?? self::fault('secret_malformed', 'there is no secret');
    }

    /** @param array<string, string|list<string>> $headers */
    private static function checkStandard(
        string $payload,
        array $headers,
        string $secret,
        int $tolerance,
        int $now,
    ): void {
        $key = base64_decode(substr($secret, strlen(self::PREFIX)), true);
        if ($key === false || strlen($key) < self::SECRET_BYTES_LEAST) {
            $text = 'a webhook secret is whsec_ and base64 of at least 24 bytes';
            throw self::fault('secret_malformed', $text);
        }
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        self::checkAge($timestamp, $tolerance, $now);
        $expected = hash_hmac('sha256', "$id.$timestamp.$payload", $key, true);
        foreach (explode(' ', $signatures) as $one) {
            $given = str_starts_with($one, 'v1,') ? base64_decode(substr($one, 3), true) : false;
            if ($given !== false && hash_equals($expected, $given)) {
                return;
            }
        }
        throw self::mismatch();
    }

    /** @param array<string, string|list<string>> $headers */
    private static function checkWebhookAuth(string $payload, array $headers, string $secret): void
    {
        if (trim($secret) === '') {
            throw self::fault('secret_malformed', 'the secret is empty');
        }
        $given = self::header($headers, 'x-webhook-auth');
        if (!hash_equals(hash('sha256', $secret . $payload), $given)) {
            throw self::mismatch();
        }
    }

    private static function checkAge(string $timestamp, int $tolerance, int $now): void
    {
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw self::fault('header_malformed', 'webhook-timestamp is no Unix time');
        }
        $age = $now - (int) $timestamp;
        if ($age > $tolerance) {
            throw self::fault('timestamp_too_old', "sent $age s ago: it may be a replay");
        }
        if (-$age > $tolerance) {
            $ahead = -$age;
            throw self::fault('timestamp_too_new', "sent $ahead s ahead of this machine’s clock");
        }
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        $value = array_change_key_case($headers)[$name] ?? '';
        $text = is_array($value) ? ($value[0] ?? '') : $value;
        return $text !== '' ? $text : throw self::fault('header_missing', "the header $name is missing");
    }

    private static function parseEvent(string $payload): Record
    {
        try {
            $event = ExactJson::parse($payload);
        } catch (\JsonException) {
            $event = null;
        }
        return is_array($event)
            ? new Record($event)
            : throw self::fault('payload_malformed', 'the body is no JSON');
    }

    private static function mismatch(): WebhookVerificationError
    {
        $text = 'the signature is not that of this body: check the secret, and verify the raw body';
        return self::fault('signature_mismatch', $text);
    }

    private static function fault(string $code, string $message): WebhookVerificationError
    {
        return new WebhookVerificationError($message, errorCode: $code);
    }
}
