<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** No answer came in time; whether the request arrived is not known. */
final class RequestTimeoutError extends QuittanceError
{
}
