<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** What came is no webhook of the service: answer 400 and do nothing. */
final class WebhookVerificationError extends QuittanceError
{
}
