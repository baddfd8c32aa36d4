<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 429: too many calls; `retryAfterSeconds` says when the next is welcome. */
final class RateLimitError extends QuittanceError
{
}
