<?php

declare(strict_types=1);

namespace Quittance;

use Quittance\Exception\QuittanceError;

/**
 * A list, asked for page by page while it is walked: `foreach ($list as $one)`.
 *
 * @template Item
 * @implements \IteratorAggregate<int, Item>
 */
final class Pages implements \IteratorAggregate
{
    /** @param \Closure(string|null): array{Page, string|null} $fetch */
    public function __construct(private readonly \Closure $fetch)
    {
    }

    /** @return \Generator<int, Item> */
    public function getIterator(): \Generator
    {
        $at = 0;
        foreach ($this->pages() as $page) {
            foreach ($page->items as $item) {
                yield $at++ => $item;
            }
        }
    }

    /**
     * Whole pages, one after the other.
     *
     * @return \Generator<int, Page>
     */
    public function pages(): \Generator
    {
        $seen = [];
        $cursor = null;
        do {
            [$page, $requestId] = ($this->fetch)($cursor);
            yield $page;
            $cursor = $page->nextCursor;
            if ($cursor !== null && isset($seen[$cursor])) {
                // Following it would never end.
                $text = 'the service gave the same cursor twice';
                throw new QuittanceError($text, 200, 'cursor_repeated', requestId: $requestId);
            }
            $seen[$cursor ?? ''] = true;
        } while ($cursor !== null);
    }

    /** The first page alone. */
    public function first(): Page
    {
        return ($this->fetch)(null)[0];
    }

    /**
     * All entries, `$limit` of them at most.
     *
     * @return list<Item>
     */
    public function all(int $limit = PHP_INT_MAX): array
    {
        $all = [];
        if ($limit <= 0) {
            return $all;
        }
        foreach ($this as $item) {
            $all[] = $item;
            if (count($all) >= $limit) {
                break;
            }
        }
        return $all;
    }
}
