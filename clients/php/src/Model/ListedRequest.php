<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id The `X-Request-Id` of its answer
 * @property-read string $apiKey The key it named
 * @property-read string $method Of HTTP
 * @property-read string $path As it was asked for, without the query
 * @property-read int $status Of HTTP, as it was answered
 * @property-read string|null $errorCode The `X-Error-Code` of a refusal
 * @property-read int $durationMs How long the answer took, in milliseconds
 * @property-read string $timestamp When it was answered
 * @property-read string|null $query The query, without secrets; null where nothing was kept
 * @property-read string|null $requestHeaders Lines of headers, without secrets; null where nothing was kept
 * @property-read string|null $requestBody What was sent, without secrets; null where nothing was kept
 * @property-read string|null $answerHeaders Lines of headers, without secrets; null where nothing was kept
 * @property-read string|null $answerBody What was answered, without secrets; null where nothing was kept
 */
final class ListedRequest extends Record
{
}
