<?php

// What the suites share: cases with a name, run one after the other, and a comparison that shows both.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $file = getenv('QUITTANCE_AUTOLOAD') ? null : __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, 10)) . '.php';
    if ($file !== null && str_starts_with($class, 'Quittance\\') && is_file($file)) {
        require $file;
    }
});
if (getenv('QUITTANCE_AUTOLOAD')) {
    require getenv('QUITTANCE_AUTOLOAD');
}

function check(mixed $seen, mixed $wanted): void
{
    if (sorted($seen) !== sorted($wanted)) {
        $show = static fn (mixed $value) => json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        throw new RuntimeException("seen:   {$show($seen)}\nwanted: {$show($wanted)}");
    }
}

/** As JSON has it: names in order, records as arrays, 1.0 as 1. */
function sorted(mixed $value): mixed
{
    if ($value instanceof Quittance\Record) {
        $value = $value->toArray();
    }
    if (is_float($value) && floor($value) === $value && abs($value) < 2 ** 53) {
        return (int) $value;
    }
    if (!is_array($value)) {
        return $value;
    }
    if (!array_is_list($value)) {
        ksort($value, SORT_STRING);
    }
    return array_map('sorted', $value);
}

/** @param array<string, Closure> $cases */
function runCases(array $cases): never
{
    $failed = 0;
    foreach ($cases as $name => $run) {
        try {
            $run();
        } catch (Throwable $error) {
            $failed++;
            echo "FAILED  $name\n{$error->getMessage()}\n{$error->getFile()}:{$error->getLine()}\n";
        }
    }
    $passed = count($cases) - $failed;
    echo "$passed passed, $failed failed\n";
    exit($failed === 0 ? 0 : 1);
}
