<?php

declare(strict_types=1);

namespace Quittance;

final class ReportsResource extends Resource\ReportsMethods
{
    /**
     * A report as a document: `format` says which, as `csv`.
     *
     * @param string $name `balances`, `ledger`, `settlements` and so on
     * @param array<string, mixed> $parameters
     * @param array{timeoutSeconds?: float, maxRetries?: int} $options
     * @return Record with `text`, `contentType` and `nextCursor`
     */
    public function document(string $name, array $parameters, array $options = []): Record
    {
        $endpoint = self::ENDPOINTS[$name] ?? throw new \InvalidArgumentException("there is no report $name");
        $response = $this->caller->send(new Endpoint(...$endpoint), $parameters, $options);
        return new Record([
            'text' => $response->body,
            'contentType' => $response->header('content-type') ?? '',
            'nextCursor' => $response->header('x-next-cursor'),
        ]);
    }
}
