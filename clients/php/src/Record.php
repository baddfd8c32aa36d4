<?php

declare(strict_types=1);

namespace Quittance;

/**
 * An object of an answer: fields as properties, `$checkout->state`, or as `$checkout['state']`. Fields that
 * came with a later version of the service are there too. It cannot be changed.
 *
 * @implements \ArrayAccess<string, mixed>
 * @implements \IteratorAggregate<string, mixed>
 */
class Record implements \ArrayAccess, \IteratorAggregate, \JsonSerializable
{
    /** Classes of fields that are objects; of lists of objects in a list. */
    protected const FIELDS = [];

    /** @param array<string, mixed> $fields */
    final public function __construct(private readonly array $fields)
    {
    }

    public function __get(string $name): mixed
    {
        if (!array_key_exists($name, $this->fields)) {
            throw new \OutOfBoundsException("there is no field $name");
        }
        return self::wrap($this->fields[$name], static::FIELDS[$name] ?? null);
    }

    public function __isset(string $name): bool
    {
        return isset($this->fields[$name]);
    }

    /**
     * What was decoded, with its objects as records.
     *
     * @param class-string<Record>|list<class-string<Record>>|null $class
     */
    public static function wrap(mixed $value, string|array|null $class = null): mixed
    {
        if (!is_array($value)) {
            return $value;
        }
        $single = is_array($class) ? ($class[0] ?? self::class) : ($class ?? self::class);
        return array_is_list($value) && !(is_string($class) && $value === [])
            ? array_map(static fn (mixed $one) => self::wrap($one, $single), $value)
            : new $single($value);
    }

    /** @return array<string, mixed> as it came */
    public function toArray(): array
    {
        return $this->fields;
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->fields[$offset]);
    }

    public function offsetGet(mixed $offset): mixed
    {
        return $this->__get((string) $offset);
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        throw new \LogicException('an answer cannot be changed');
    }

    public function offsetUnset(mixed $offset): void
    {
        throw new \LogicException('an answer cannot be changed');
    }

    public function getIterator(): \Traversable
    {
        foreach (array_keys($this->fields) as $name) {
            yield $name => $this->__get((string) $name);
        }
    }

    public function jsonSerialize(): mixed
    {
        return $this->fields === [] ? new \stdClass() : $this->fields;
    }
}
