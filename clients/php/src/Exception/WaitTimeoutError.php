<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** A checkout did not reach the state that was waited for in time. */
final class WaitTimeoutError extends QuittanceError
{
}
