<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 404: there is no such thing in this account and environment. */
final class NotFoundError extends QuittanceError
{
}
