<?php

declare(strict_types=1);

namespace Quittance;

final class SandboxResource extends Resource\SandboxMethods
{
    /** Deeper than any simulated network asks for. */
    private const BLOCKS = 100;
    private const SEEN_SECONDS = 60;

    public function __construct(Caller $caller, private readonly CheckoutResource $checkout)
    {
        parent::__construct($caller);
    }

    /**
     * Pays a test checkout and mines the blocks that it needs; gives it as it is then: `COMPLETED`, or
     * `UNDERPAID` when `amount` is too small.
     *
     * @param array{network?: string, asset?: string, amount?: string|int} $parameters `network` is chosen for
     *     a checkout that was not committed; `amount` is all that is missing unless given
     * @param array{timeoutSeconds?: float, maxRetries?: int} $options
     */
    public function payAndConfirm(string $checkoutId, array $parameters = [], array $options = []): Model\Checkout
    {
        $before = $this->checkout->get($checkoutId, [], $options);
        if ($before->state === 'NEW' && isset($parameters['network'])) {
            $chosen = array_intersect_key($parameters, ['network' => true, 'asset' => true]);
            $this->checkout->commit($checkoutId, $chosen, $options);
        }
        $payments = $this->pay(['checkoutId' => $checkoutId, ...$parameters], $options);
        $seen = ['PENDING', 'COMPLETED', 'UNDERPAID'];
        $this->checkout->waitUntil($checkoutId, $seen, self::SEEN_SECONDS);
        if ($payments !== []) {
            $this->mine(['network' => $payments[0]->network, 'blocks' => self::BLOCKS], $options);
        }
        return $this->checkout->waitUntil($checkoutId, ['COMPLETED', 'UNDERPAID'], self::SEEN_SECONDS);
    }
}
