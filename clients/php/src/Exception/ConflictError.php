<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 409: the state of the thing forbids it; `errorCode` says which. */
final class ConflictError extends QuittanceError
{
}
