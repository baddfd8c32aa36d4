<?php

declare(strict_types=1);

namespace Quittance;

use Quittance\Exception\QuittanceError;
use Quittance\Exception\ServerError;
use Quittance\Http\Response;

/** @internal What came, read. */
final class Answer
{
    private const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504];
    private const RETRIED_CODES = ['idempotency_key_running', 'signature_used'];
    private const BY_STATUS = [
        401 => Exception\AuthenticationError::class,
        403 => Exception\ForbiddenError::class,
        404 => Exception\NotFoundError::class,
        409 => Exception\ConflictError::class,
        429 => Exception\RateLimitError::class,
    ];

    /**
     * @return array<string, mixed>
     * @throws QuittanceError when the answer is no JSON object
     */
    public static function json(Response $response): array
    {
        try {
            $value = ExactJson::parse($response->body);
        } catch (\JsonException) {
            $value = null;
        }
        return is_array($value) ? $value : throw self::malformed($response);
    }

    /** The error for an answer that is no success. */
    public static function error(Response $response): QuittanceError
    {
        $errors = self::errorsOf($response->body);
        $status = $response->status;
        if ($errors === null || $status < 400) {
            return self::malformed($response);
        }
        $code = $response->header('x-error-code');
        $after = $response->header('retry-after') ?? '';
        $usual = $status >= 500 ? ServerError::class : Exception\InvalidRequestError::class;
        $class = self::BY_STATUS[$status] ?? $usual;
        return new $class(
            implode('; ', $errors) . ' (' . trim("$status $code") . ')',
            $status,
            $code,
            $errors,
            $response->header('x-request-id'),
            preg_match('/^\d{1,9}$/D', $after) === 1 ? (int) $after : null,
            in_array($status, self::RETRIED_STATUSES, true) || in_array($code, self::RETRIED_CODES, true),
        );
    }

    /** The body is not what the service writes: a proxy in between, or another server. */
    private static function malformed(Response $response): QuittanceError
    {
        $status = $response->status;
        $class = $status >= 500 ? ServerError::class : QuittanceError::class;
        return new $class(
            "the answer ($status) is none of the service: check baseUrl and proxies",
            $status,
            'answer_malformed',
            requestId: $response->header('x-request-id'),
            retryable: in_array($status, self::RETRIED_STATUSES, true),
        );
    }

    /** @return list<string>|null */
    private static function errorsOf(string $body): ?array
    {
        $errors = json_decode($body, true)['errors'] ?? null;
        $isList = is_array($errors) && array_is_list($errors)
            && count(array_filter($errors, 'is_string')) === count($errors);
        return $isList ? $errors : null;
    }
}
