<?php

declare(strict_types=1);

namespace Quittance;

use Quittance\Exception\WaitTimeoutError;

final class CheckoutResource extends Resource\CheckoutMethods
{
    /** The service holds an answer for so long at most. */
    private const HELD_SECONDS = 25;

    /**
     * The checkout as soon as its state is one of `$states`.
     *
     * @param string|list<string> $states
     * @param float $timeoutSeconds for the whole of it
     * @param array{maxRetries?: int} $options
     * @throws WaitTimeoutError
     */
    public function waitUntil(
        string $id,
        string|array $states = 'COMPLETED',
        float $timeoutSeconds = 3600,
        array $options = [],
    ): Model\Checkout {
        $clock = $this->caller->clock;
        $endsAt = $clock->now() + $timeoutSeconds;
        $parameters = [];
        while (true) {
            $checkout = $this->get($id, $parameters, $options);
            if (in_array($checkout->state, (array) $states, true)) {
                return $checkout;
            }
            $left = (int) floor($endsAt - $clock->now());
            if ($left < 1) {
                $text = "checkout $id is {$checkout->state} after $timeoutSeconds s";
                throw new WaitTimeoutError($text, null, 'wait_timeout');
            }
            $parameters = ['wait' => min(self::HELD_SECONDS, $left)];
        }
    }
}
