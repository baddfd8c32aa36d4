<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Quittance;

/** What the shop said of its installation. */
final class Settings
{
    public const OPTION = 'woocommerce_quittance_settings';

    private function __construct(
        public readonly string $address,
        public readonly string $key,
        public readonly string $secret,
        public readonly string $webhookSecret,
        public readonly bool $isTest,
    ) {
    }

    public static function read(): self
    {
        $saved = get_option(self::OPTION, []);
        return self::from(is_array($saved) ? $saved : []);
    }

    /** @param array<string, mixed> $saved */
    public static function from(array $saved): self
    {
        $text = static fn (string $name): string => trim((string) ($saved[$name] ?? ''));
        return new self(
            rtrim($text('address'), '/'),
            $text('key'),
            $text('secret'),
            $text('webhook_secret'),
            $text('environment') !== 'live',
        );
    }

    public function isComplete(): bool
    {
        return !in_array('', [$this->address, $this->key, $this->secret, $this->webhookSecret], true);
    }

    /** Seconds for an answer: a customer waits. */
    public function client(float $timeoutSeconds = 15, int $maxRetries = 1): Quittance
    {
        return new Quittance(
            $this->key,
            $this->secret,
            $this->address,
            timeoutSeconds: $timeoutSeconds,
            maxRetries: $maxRetries,
            originUrl: home_url('/'),
            transport: new WordPressTransport(),
        );
    }

    /** Says which shop a checkout belongs to: several may share one account. */
    public static function shop(): string
    {
        return substr(hash('sha256', home_url('/')), 0, 16);
    }
}
