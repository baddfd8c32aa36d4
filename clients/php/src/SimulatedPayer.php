<?php

declare(strict_types=1);

namespace Quittance;

/** Who pays a test checkout by itself, by a word in its `meta`. With a live key the word does nothing. */
enum SimulatedPayer: string
{
    case Paid = 'paid';
    case Underpaid = 'underpaid';
    case Overpaid = 'overpaid';
    case Parts = 'parts';
    case WrongAsset = 'wrong_asset';
    case Late = 'late';
    case Expired = 'expired';
    case Replaced = 'replaced';
    case Reversed = 'reversed';

    /**
     * `meta` of a test checkout that this payer pays as soon as it is committed.
     *
     * @param array<string, mixed> $meta
     * @return array<string, mixed>
     */
    public function meta(array $meta = []): array
    {
        return [...$meta, 'sandbox' => $this->value];
    }
}
