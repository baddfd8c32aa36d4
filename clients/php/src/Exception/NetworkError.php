<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** No answer came; whether the request arrived is not known. */
final class NetworkError extends QuittanceError
{
}
