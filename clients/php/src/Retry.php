<?php

declare(strict_types=1);

namespace Quittance;

/** @internal */
final class Retry
{
    private const FIRST_SECONDS = 0.5;
    private const MOST_SECONDS = 8.0;
    /** Whoever is told to come back later than that is told so, and decides. */
    private const RETRY_AFTER_MOST_SECONDS = 30;

    /**
     * Seconds to wait before the next attempt; null: there is none. A signature of the class money is good
     * for one request: the next needs a later second.
     *
     * @param int $attempt 0 before the first repeat
     * @param float $random from 0 to below 1
     */
    public static function delay(int $attempt, ?int $retryAfterSeconds, float $random, bool $isMoney): ?float
    {
        $asked = $retryAfterSeconds ?? 0;
        if ($asked > self::RETRY_AFTER_MOST_SECONDS) {
            return null;
        }
        $backOff = min(self::MOST_SECONDS, self::FIRST_SECONDS * 2 ** $attempt) * (0.5 + $random / 2);
        return (float) max($backOff, $asked, $isMoney ? 1 : 0);
    }
}
