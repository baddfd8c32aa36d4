<?php

// The orders of the shop, in a file of SQLite. An order is paid once: the row decides, so that two webhooks and
// a customer who comes back at the same moment ship it once.

declare(strict_types=1);

final class Orders
{
    private PDO $database;

    public function __construct(string $file)
    {
        $this->database = new PDO("sqlite:$file", options: [PDO::ATTR_TIMEOUT => 30]);
        $this->database->exec("create table if not exists orders (number text primary key,
            checkout_id text unique, total text not null, currency text not null,
            state text not null default 'open')");
    }

    public function open(string $total, string $currency): string
    {
        $number = bin2hex(random_bytes(12));
        $this->run('insert into orders (number, total, currency) values (?, ?, ?)', $number, $total, $currency);
        return $number;
    }

    public function noteCheckout(string $number, string $checkoutId): void
    {
        $this->run('update orders set checkout_id = ? where number = ?', $checkoutId, $number);
    }

    /** @return array{number: string, checkout_id: ?string, total: string, currency: string, state: string}|null */
    public function find(string $number): ?array
    {
        return $this->run('select * from orders where number = ?', $number)->fetch(PDO::FETCH_ASSOC) ?: null;
    }

    /** @return array{number: string, checkout_id: ?string, total: string, currency: string, state: string}|null */
    public function findByCheckout(string $checkoutId): ?array
    {
        return $this->run('select * from orders where checkout_id = ?', $checkoutId)->fetch(PDO::FETCH_ASSOC) ?: null;
    }

    /** Whether this call made it paid. */
    public function markPaid(string $number): bool
    {
        $done = $this->run("update orders set state = 'paid' where number = ? and state = 'open'", $number);
        return $done->rowCount() === 1;
    }

    private function run(string $statement, string ...$values): PDOStatement
    {
        $prepared = $this->database->prepare($statement);
        $prepared->execute($values);
        return $prepared;
    }
}
