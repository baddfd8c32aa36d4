<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 400, 405, 408, 413, 422, 431: the request is wrong; `errors` has one entry for each fault. */
final class InvalidRequestError extends QuittanceError
{
}
