<?php

declare(strict_types=1);

namespace Quittance\Http;

/** No answer came in time. */
final class TimedOut extends \RuntimeException
{
}
