<?php

/**
 * Shed.
 * Made by fossick: fossick test openapi.json --seed 1
 */

declare(strict_types=1);

namespace ShedTests;

use PHPUnit\Framework\Assert;
use stdClass;

/**
 * What the service said. Its story is told where an assertion fails.
 */
final class Answer
{
    private mixed $json;
    private bool $isJson;

    /**
     * @param array<string, string> $headers by name in small letters
     */
    public function __construct(
        private readonly string $asked,
        public readonly int $status,
        private readonly array $headers,
        public readonly string $body
    ) {
        $this->json = self::whole(json_decode($body));
        $this->isJson = json_last_error() === JSON_ERROR_NONE;
    }

    public function story(): string
    {
        return "{$this->asked} answered {$this->status}\n" . mb_strcut($this->body, 0, 2000);
    }

    /**
     * Without parameters, in small letters.
     */
    public function mediaType(): string
    {
        return strtolower(trim(explode(';', $this->headers['content-type'] ?? '')[0]));
    }

    /**
     * The value at a path of names, places and items, which must be there.
     */
    public function at(string|int|Item ...$path): mixed
    {
        $found = $this->find(...$path);
        if ($found === []) {
            Assert::fail('There is nothing at /' . implode('/', $path) . "\n" . $this->story());
        }

        return $found[0];
    }

    /**
     * A list with the value at a path, or an empty one.
     *
     * @return list<mixed>
     */
    public function find(string|int|Item ...$path): array
    {
        $value = $this->json;
        foreach ($path as $key) {
            if ($key instanceof Item && is_array($value) && $key->find($value) !== []) {
                $value = $key->find($value)[0];
            } elseif (is_int($key) && is_array($value) && array_key_exists($key, $value)) {
                $value = $value[$key];
            } elseif (is_string($key) && $value instanceof stdClass && property_exists($value, $key)) {
                $value = $value->{$key};
            } else {
                return [];
            }
        }

        return $this->isJson ? [$value] : [];
    }

    /**
     * The value at a JSON pointer, which must be there.
     */
    public function take(string $pointer): mixed
    {
        $path = [];
        foreach (array_slice(explode('/', $pointer), 1) as $part) {
            $key = str_replace(['~1', '~0'], ['/', '~'], $part);
            $path[] = $this->kind(...$path) === 'array' ? (int) $key : $key;
        }

        return $this->at(...$path);
    }

    public function kind(string|int|Item ...$path): string
    {
        $found = $this->find(...$path);

        return $found === [] ? 'absent' : self::kindOf($found[0]);
    }

    public function isNumber(string|int|Item ...$path): bool
    {
        return in_array($this->kind(...$path), ['integer', 'number'], true);
    }

    public static function kindOf(mixed $value): string
    {
        return match (true) {
            $value === null => 'null',
            is_bool($value) => 'boolean',
            is_int($value) => 'integer',
            is_float($value) => 'number',
            is_string($value) => 'string',
            is_array($value) => 'array',
            default => 'object',
        };
    }

    /**
     * The number of items of a list.
     */
    public function size(string|int|Item ...$path): ?int
    {
        $found = $this->find(...$path);

        return $found !== [] && is_array($found[0]) ? count($found[0]) : null;
    }

    /**
     * Whether the list or object that is there lacks this place or item.
     */
    public function lacks(string|int|Item ...$path): bool
    {
        $last = array_pop($path);
        $container = is_string($last) ? 'object' : 'array';

        return $this->kind(...$path) === $container && $this->find(...[...$path, $last]) === [];
    }

    /**
     * In what way the body does not fit a schema; empty where it does.
     *
     * @return list<string>
     */
    public function misfits(string $name): array
    {
        if (!$this->isJson) {
            return ['it is not JSON'];
        }
        $text = (string) file_get_contents(__DIR__ . "/schemas/$name.json");

        return Schema::misfits($this->json, json_decode($text, flags: JSON_THROW_ON_ERROR));
    }

    public function header(string $name): string
    {
        $value = $this->headers[strtolower($name)] ?? null;
        if ($value === null) {
            Assert::fail("There is no header $name.\n" . $this->story());
        }

        return $value;
    }

    /**
     * The last segment of the path that the answer leads to.
     */
    public function location(): string
    {
        $path = preg_replace('/[?#].*$/s', '', $this->header('Location'));
        $tail = rawurldecode(basename(rtrim((string) $path, '/')));
        if ($tail === '') {
            Assert::fail("The location leads nowhere.\n" . $this->story());
        }

        return $tail;
    }

    /**
     * Numbers without a fraction as integers, so that 1 and 1.0 are equal.
     */
    private static function whole(mixed $value): mixed
    {
        if (is_float($value) && floor($value) === $value && abs($value) <= 2 ** 53) {
            return (int) $value;
        }
        if (is_array($value)) {
            return array_map(self::whole(...), $value);
        }
        if ($value instanceof stdClass) {
            foreach (get_object_vars($value) as $name => $member) {
                $value->{$name} = self::whole($member);
            }
        }

        return $value;
    }
}
