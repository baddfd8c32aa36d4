<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $checkoutId Of `/sandbox/expire`: the checkout whose window ended.
 * @property-read Record|null $meta Of `/sandbox/expire`: what you gave with the checkout; absent where nothing was given.
 * @property-read int|null $minutes Of `/sandbox/advance`: how many passed.
 * @property-read int|null $checkouts Of `/sandbox/advance`: how many windows came nearer.
 * @property-read int|null $deliveries Of `/sandbox/advance`: how many attempts at webhooks came nearer.
 * @property-read int|null $settlementRules Of `/sandbox/advance`: how many settlement rules came nearer.
 * @property-read SandboxTip|null $tip Of `/sandbox/reorg`: the newest block that is left.
 * @property-read list<SandboxPayment>|null $payments Of `/sandbox/pay` and `/sandbox/replace`: what was sent.
 * @property-read list<SandboxTip>|null $tips Of `/sandbox/mine`: the newest block of each network.
 */
final class SandboxAnswer extends Record
{
    protected const FIELDS = [
        'tip' => SandboxTip::class,
        'payments' => [SandboxPayment::class],
        'tips' => [SandboxTip::class],
    ];
}
