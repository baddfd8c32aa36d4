<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/**
 * What a checkout, as the service says it now, makes of an order. Pure. Guarantees: an order is paid by the
 * checkout that was noted with it alone, for its own total in its own currency; what is settled is never
 * undone by what came before it; the same again changes nothing.
 */
final class Decision
{
    public const OPEN = 'open';
    public const SEEN = 'seen';
    public const UNDERPAID = 'underpaid';
    public const EXPIRED = 'expired';
    public const CANCELLED = 'cancelled';
    public const PAID = 'paid';
    /** Paid, but the order had been closed or was paid in another way. */
    public const PAID_TOO = 'paid-too';
    /** Paid, but not what the order asks for. */
    public const MISMATCH = 'mismatch';
    public const REVERSED = 'reversed';

    private const SETTLED = [self::PAID, self::PAID_TOO, self::MISMATCH, self::REVERSED];
    private const UNPAID_STATUSES = ['pending', 'failed', 'on-hold', 'checkout-draft'];

    /**
     * @param string $stage where the order went
     * @param string|null $status the new status of the order; null where it stays
     * @param bool $completes whether WooCommerce is told that the payment is complete
     */
    private function __construct(
        public readonly string $stage,
        public readonly ?string $status = null,
        public readonly bool $completes = false,
    ) {
    }

    /**
     * @param string $noted the stage that the order is in, '' at first
     * @param string $status of the order now, without `wc-`
     * @param array{state: string, isReversed: bool, isAsked: bool} $said `isAsked`: total and currency
     *     of the checkout are those of the order
     * @return self|null null where nothing is to be done
     */
    public static function of(string $noted, string $status, array $said): ?self
    {
        $stage = self::stageOf($said);
        if ($stage === $noted || ($noted === '' && $stage === self::OPEN)) {
            return null;
        }
        if (in_array($noted, self::SETTLED, true) && !in_array($stage, self::SETTLED, true)) {
            return null;
        }
        if ($noted === self::PAID_TOO && $stage === self::PAID) {
            return null;
        }
        $isUnpaid = in_array($status, self::UNPAID_STATUSES, true);
        return match ($stage) {
            self::PAID => self::paid($noted, $status, $isUnpaid),
            self::SEEN, self::UNDERPAID, self::MISMATCH => new self($stage, self::unless('on-hold', $status, $isUnpaid)),
            self::REVERSED => new self($stage, self::unless('on-hold', $status, !in_array($status, ['cancelled', 'refunded'], true))),
            self::EXPIRED => new self($stage, self::unless('failed', $status, $isUnpaid)),
            // A customer who cancels on the payment page may choose another way to pay the same order.
            self::CANCELLED, self::OPEN => new self($stage, $status === 'on-hold' ? 'pending' : null),
        };
    }

    /** Whether what may still come is worth asking for again. */
    public static function isFinal(string $stage): bool
    {
        return in_array($stage, self::SETTLED, true);
    }

    private static function paid(string $noted, string $status, bool $isUnpaid): self
    {
        if ($isUnpaid) {
            return new self(self::PAID, completes: true);
        }
        if ($noted === self::REVERSED) {
            return new self(self::PAID);
        }
        // Stock that a cancelled order gave back may be sold: a person decides.
        return new self(self::PAID_TOO, $status === 'cancelled' ? 'on-hold' : null);
    }

    private static function unless(string $wanted, string $status, bool $mayChange): ?string
    {
        return $mayChange && $status !== $wanted ? $wanted : null;
    }

    /** @param array{state: string, isReversed: bool, isAsked: bool} $said */
    private static function stageOf(array $said): string
    {
        return match ($said['state']) {
            'COMPLETED' => match (true) {
                $said['isReversed'] => self::REVERSED,
                !$said['isAsked'] => self::MISMATCH,
                default => self::PAID,
            },
            'PENDING' => self::SEEN,
            'UNDERPAID' => self::UNDERPAID,
            'EXPIRED' => self::EXPIRED,
            'CANCELLED' => self::CANCELLED,
            // A state of a later version changes no order.
            default => self::OPEN,
        };
    }
}
