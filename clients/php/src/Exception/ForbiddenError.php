<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 403: the key or the address may not do this. */
final class ForbiddenError extends QuittanceError
{
}
