<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Exception\WebhookVerificationError;
use QuittanceWooCommerce\Client\Webhooks;

/**
 * Where the service tells of a checkout: /?wc-api=quittance. Guarantees: both signatures are those of the raw
 * body, and it was sent within five minutes, or nothing is read of it; what it says is a hint, and the
 * service is asked. An event that comes twice or late therefore changes nothing.
 */
final class WebhookEndpoint
{
    private const BODY_MAX = 1_000_000;

    public static function receive(): void
    {
        $body = (string) file_get_contents('php://input', length: self::BODY_MAX + 1);
        [$status, $text] = self::answer($body, self::headers());
        status_header($status);
        header('content-type: text/plain');
        nocache_headers();
        echo esc_html($text);
        exit;
    }

    /**
     * @param array<string, string> $headers
     * @return array{int, string} status and words of the answer
     */
    public static function answer(string $body, array $headers): array
    {
        $settings = Settings::read();
        if (!$settings->isComplete()) {
            return [503, 'the shop is not set up'];
        }
        if (strlen($body) > self::BODY_MAX) {
            return [413, 'too long'];
        }
        try {
            $event = self::verify($body, $headers, $settings->webhookSecret);
            Webhooks::verify($body, $headers, $settings->secret);
        } catch (WebhookVerificationError $error) {
            Log::error("a webhook was refused: $error->errorCode");
            return [400, (string) $error->errorCode];
        }
        WebhookFault::forget();
        if ($event['test'] ?? false) {
            return [200, 'a trial'];
        }
        $subject = self::subjectOf($event);
        if ($subject === null) {
            return [200, 'nothing of this shop'];
        }
        try {
            self::act(...$subject);
        } catch (\Throwable $error) {
            Log::error("a webhook about order $subject[0] waits: " . $error->getMessage());
            return [503, 'later'];
        }
        return [200, 'ok'];
    }

    /**
     * By the secret of webhooks: where it is another one, somebody is told.
     *
     * @param array<string, string> $headers
     * @throws WebhookVerificationError
     */
    private static function verify(string $body, array $headers, string $secret): \ArrayAccess
    {
        try {
            return Webhooks::verify($body, $headers, $secret);
        } catch (WebhookVerificationError $error) {
            $said = json_decode($body, true);
            if ($error->errorCode === 'signature_mismatch' && is_array($said)) {
                WebhookFault::note(self::subjectOf($said));
            }
            throw $error;
        }
    }

    /** @return array{int, string, string|null}|null id of the order, of its checkout, and of a refund */
    private static function subjectOf(array|\ArrayAccess $event): ?array
    {
        $data = $event['data'] ?? [];
        $checkout = $data['checkout'] ?? null;
        $refund = $data['refund'] ?? null;
        $meta = $checkout['meta'] ?? $refund['meta'] ?? null;
        $checkoutId = $checkout['id'] ?? $refund['checkoutId'] ?? null;
        $order = $meta['order'] ?? null;
        if (($meta['shop'] ?? null) !== Settings::shop() || !is_string($checkoutId)) {
            return null;
        }
        if (!is_string($order) || preg_match('/^[1-9]\d{0,17}$/D', $order) !== 1) {
            return null;
        }
        $refundId = $refund['id'] ?? null;
        return [(int) $order, $checkoutId, is_string($refundId) ? $refundId : null];
    }

    private static function act(int $orderId, string $checkoutId, ?string $refundId): void
    {
        if ($refundId === null) {
            OrderSettler::settle($orderId, $checkoutId);
        } else {
            OrderRefunds::follow($orderId, $refundId);
        }
    }

    /** @return array<string, string> */
    private static function headers(): array
    {
        $headers = [];
        foreach ($_SERVER as $name => $value) {
            if (str_starts_with($name, 'HTTP_') && is_string($value)) {
                $headers[strtolower(strtr(substr($name, 5), '_', '-'))] = $value;
            }
        }
        return $headers;
    }
}
