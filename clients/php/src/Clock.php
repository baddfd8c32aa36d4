<?php

declare(strict_types=1);

namespace Quittance;

/** For tests; the machine's clock is taken unless one is given. */
interface Clock
{
    /** Unix seconds, with their fraction. */
    public function now(): float;

    public function sleep(float $seconds): void;
}
