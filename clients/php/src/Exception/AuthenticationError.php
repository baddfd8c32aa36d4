<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 401: key, secret or time are wrong. */
final class AuthenticationError extends QuittanceError
{
}
