<?php

declare(strict_types=1);

namespace Quittance;

/** One page of a list. */
final class Page
{
    /**
     * @param list<mixed> $items
     * @param string|null $nextCursor for the next page; null on the last one
     */
    public function __construct(
        public readonly array $items,
        public readonly ?string $nextCursor,
    ) {
    }
}
