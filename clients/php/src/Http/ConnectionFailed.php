<?php

declare(strict_types=1);

namespace Quittance\Http;

/** No answer came. */
final class ConnectionFailed extends \RuntimeException
{
}
