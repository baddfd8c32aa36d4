<?php

declare(strict_types=1);

namespace App;

use Illuminate\Database\Eloquent\Model;
use Quittance\Quittance;

/**
 * An order is paid once: the row decides, so that two webhooks and a customer who comes back at the same moment
 * ship it once.
 *
 * @property string $number
 * @property string|null $checkout_id
 * @property string $total
 * @property string $currency
 * @property string $state
 */
final class Order extends Model
{
    protected $guarded = [];
    protected $primaryKey = 'number';
    protected $keyType = 'string';
    public $incrementing = false;

    /** Asks the service about the checkout that the shop itself noted: a webhook is only a hint. */
    public function settle(Quittance $quittance): void
    {
        if ($this->state === 'paid' || $this->checkout_id === null) {
            return;
        }
        $checkout = $quittance->checkout->get($this->checkout_id);
        $isForThis = self::exact($checkout->total) === self::exact($this->total)
            && $checkout->billingCurrency === $this->currency;
        if ($checkout->state === 'COMPLETED' && $isForThis && $this->markPaid()) {
            error_log("ship order $this->number");
        }
    }

    /** Whether this call made it paid. */
    private function markPaid(): bool
    {
        $changed = self::query()->where('number', $this->number)->where('state', 'open')->update(['state' => 'paid']);
        $this->refresh();
        return $changed === 1;
    }

    /** The service writes 19.90 as 19.9. */
    private static function exact(string $amount): string
    {
        return str_contains($amount, '.') ? rtrim(rtrim($amount, '0'), '.') : $amount;
    }
}
