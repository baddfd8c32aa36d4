<?php

declare(strict_types=1);

namespace Quittance;

/**
 * JSON without floats. Amounts are texts on the wire; what else is a number keeps its exact value: one
 * that PHP does not hold becomes its text when it is read, and a float is not written.
 */
final class ExactJson
{
    /** Texts first, so that digits inside of them are passed over. */
    private const TOKENS = '/"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/s';

    /** @throws \JsonException */
    public static function parse(string $text): mixed
    {
        $exact = preg_replace_callback(
            self::TOKENS,
            static fn (array $found) => self::isHeld($found[0]) ? $found[0] : "\"$found[0]\"",
            $text,
        );
        return json_decode($exact ?? $text, true, 64, JSON_THROW_ON_ERROR);
    }

    /** Also true for a text: there is nothing to do with it. */
    private static function isHeld(string $token): bool
    {
        if ($token[0] === '"' || preg_match('/^-?\d{1,15}$/', $token) === 1) {
            return true;
        }
        $double = (float) $token;
        return is_finite($double) && self::valueText($token) === self::valueText(self::floatText($double));
    }

    /** The shortest text that is this float again. */
    private static function floatText(float $value): string
    {
        return json_encode($value, JSON_THROW_ON_ERROR);
    }

    /** The same text for the same value: digits without zeros around them, and the power of ten. */
    private static function valueText(string $number): string
    {
        preg_match('/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/', $number, $parts);
        [, $sign, $whole, $fraction, $power] = $parts + ['', '', '', '', '0'];
        $digits = ltrim($whole . $fraction, '0');
        $significant = rtrim($digits, '0');
        if ($significant === '') {
            return '0';
        }
        $exponent = (int) $power - strlen($fraction) + strlen($digits) - strlen($significant);
        return "$sign{$significant}e$exponent";
    }

    /**
     * JSON text of a request.
     *
     * @throws \InvalidArgumentException for a float that is not whole, except inside of `meta`, which
     *     belongs to the caller: as a float 0.1 + 0.2 is another amount than 0.3
     */
    public static function write(mixed $value): string
    {
        self::refuseFloats($value, '');
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        return json_encode($value === [] ? new \stdClass() : $value, $flags);
    }

    private static function refuseFloats(mixed $value, string $path): void
    {
        if (is_float($value) && (floor($value) !== $value || abs($value) > 2 ** 53)) {
            throw new \InvalidArgumentException(
                "$path: an amount is a text, as '12.50', or a whole number, never a float",
            );
        }
        if (!is_array($value)) {
            return;
        }
        foreach ($value as $name => $one) {
            if ($name !== 'meta') {
                self::refuseFloats($one, $path === '' ? (string) $name : "$path.$name");
            }
        }
    }
}
