<?php

/**
 * Shed.
 * Made by fossick: fossick test openapi.json --seed 1
 */

declare(strict_types=1);

namespace ShedTests;

use stdClass;
use Stringable;

/**
 * The item of a list that carries a value below these names, as a part of a path.
 */
final class Item implements Stringable
{
    /** @var array<string> */
    private readonly array $names;

    public function __construct(private readonly mixed $value, string ...$names)
    {
        $this->names = $names;
    }

    /**
     * A list with the item, or an empty one.
     *
     * @param list<mixed> $items
     * @return list<mixed>
     */
    public function find(array $items): array
    {
        foreach ($items as $item) {
            if ($this->carried($item) === [$this->value]) {
                return [$item];
            }
        }

        return [];
    }

    /**
     * A list with what an item has below the names, or an empty one.
     *
     * @return list<mixed>
     */
    private function carried(mixed $item): array
    {
        foreach ($this->names as $name) {
            if (!$item instanceof stdClass || !property_exists($item, $name)) {
                return [];
            }
            $item = $item->{$name};
        }

        return [$item];
    }

    public function __toString(): string
    {
        return '[' . implode('.', $this->names) . ' = ' . json_encode($this->value) . ']';
    }
}
