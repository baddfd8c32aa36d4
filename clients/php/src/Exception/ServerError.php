<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 500 and above: the fault of the service, or something it needs is away. */
final class ServerError extends QuittanceError
{
}
