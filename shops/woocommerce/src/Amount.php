<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/**
 * Amounts as exact decimal texts. Guarantees: nothing is ever a float, so that 19.90 is 19.9 and no cent is
 * lost; what is no decimal text is refused.
 */
final class Amount
{
    private const TEXT = '/^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/D';

    /** Whether both are the same amount: `19.90` and `19.9` are. */
    public static function isSame(string $one, string $other): bool
    {
        return self::plain($one) === self::plain($other);
    }

    /** In units of so many decimals: 19.90 with 2 is 1990. What does not fit is refused. */
    public static function units(string $text, int $decimals): int
    {
        [$sign, $whole, $fraction] = self::split($text);
        if (strlen($fraction) > $decimals) {
            throw new \InvalidArgumentException("$text has more than $decimals decimals");
        }
        $digits = ltrim($whole . str_pad($fraction, $decimals, '0'), '0');
        if (strlen($digits) > 17) {
            throw new \InvalidArgumentException("$text is too large");
        }
        return (int) ($sign . ($digits === '' ? '0' : $digits));
    }

    public static function text(int $units, int $decimals): string
    {
        $digits = str_pad((string) abs($units), $decimals + 1, '0', STR_PAD_LEFT);
        $whole = $decimals === 0 ? $digits : substr($digits, 0, -$decimals);
        $fraction = $decimals === 0 ? '' : '.' . substr($digits, -$decimals);
        return ($units < 0 ? '-' : '') . $whole . $fraction;
    }

    /**
     * So much of `$coins` as `$part` is of `$whole`, rounded down to the decimals that `$coins` has: a
     * refund never comes to more than was paid.
     */
    public static function share(string $coins, int $part, int $whole): string
    {
        [$sign, $integer, $fraction] = self::split($coins);
        if ($sign !== '' || $part < 0 || $whole <= 0 || $part > $whole) {
            throw new \InvalidArgumentException('a share is from nothing to all of it');
        }
        $product = self::times($integer . $fraction, $part);
        $digits = self::over($product, $whole);
        $digits = str_pad($digits, strlen($fraction) + 1, '0', STR_PAD_LEFT);
        $point = strlen($digits) - strlen($fraction);
        return self::plain(substr($digits, 0, $point) . ($fraction === '' ? '' : '.' . substr($digits, $point)));
    }

    /** Of whole numbers of any length; a factor has at most 17 digits, so that no step leaves an integer. */
    private static function times(string $digits, int $factor): string
    {
        $result = '';
        $carry = 0;
        for ($index = strlen($digits) - 1; $index >= 0; $index--) {
            $carry += (int) $digits[$index] * $factor;
            $result = $carry % 10 . $result;
            $carry = intdiv($carry, 10);
        }
        return $carry . $result;
    }

    private static function over(string $digits, int $divisor): string
    {
        $result = '';
        $rest = 0;
        foreach (str_split($digits) as $digit) {
            $rest = $rest * 10 + (int) $digit;
            $result .= intdiv($rest, $divisor);
            $rest %= $divisor;
        }
        $trimmed = ltrim($result, '0');
        return $trimmed === '' ? '0' : $trimmed;
    }

    /** Without zeros that say nothing. */
    private static function plain(string $text): string
    {
        [$sign, $whole, $fraction] = self::split($text);
        $whole = ltrim($whole, '0');
        $fraction = rtrim($fraction, '0');
        $plain = ($whole === '' ? '0' : $whole) . ($fraction === '' ? '' : ".$fraction");
        return $plain === '0' ? '0' : $sign . $plain;
    }

    /** @return array{string, string, string} sign, digits before the point, digits after it */
    private static function split(string $text): array
    {
        if (preg_match(self::TEXT, $text, $found) !== 1) {
            throw new \InvalidArgumentException('not an amount');
        }
        return [$found[1], $found[2], $found[3] ?? ''];
    }
}
