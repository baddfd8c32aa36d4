<?php

declare(strict_types=1);

namespace Quittance;

/** One endpoint as a method: clients/README.md says what each field means. */
final class Endpoint
{
    /** @param class-string<Record>|list<class-string<Record>>|null $type of what is handed back, or of an entry */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly string $auth,
        public readonly ?string $wrap = null,
        public readonly ?string $returns = null,
        public readonly ?string $pages = null,
        public readonly string|array|null $type = null,
    ) {
    }
}
