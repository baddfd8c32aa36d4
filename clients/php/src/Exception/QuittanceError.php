<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** Every error of this library is one. */
class QuittanceError extends \RuntimeException
{
    /**
     * @param int|null $status of the answer; null where there was none
     * @param string|null $errorCode the stable code: of the service (`X-Error-Code`), or of this library
     * @param list<string> $errors one text for each fault, as the service gave them
     * @param bool $retryable the same again may succeed
     */
    public function __construct(
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $errorCode = null,
        public readonly array $errors = [],
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfterSeconds = null,
        public readonly bool $retryable = false,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
