<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/** Into the logs of WooCommerce (Status, Logs, quittance). No secret, signature or body gets there. */
final class Log
{
    public static function info(string $text): void
    {
        wc_get_logger()->info(self::clean($text), ['source' => 'quittance']);
    }

    public static function error(string $text): void
    {
        wc_get_logger()->error(self::clean($text), ['source' => 'quittance']);
    }

    /** Whatever another program wrote into a message: the secrets of this shop are taken out of it. */
    private static function clean(string $text): string
    {
        $settings = Settings::read();
        $secrets = array_filter([$settings->secret, $settings->webhookSecret]);
        $text = str_replace($secrets, '***', $text);
        return mb_substr((string) preg_replace('/[\x00-\x1f\x7f]+/', ' ', $text), 0, 1000);
    }
}
