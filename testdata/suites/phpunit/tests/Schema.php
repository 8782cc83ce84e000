<?php

/**
 * Shed.
 * Made by fossick: fossick test openapi.json --seed 1
 */

declare(strict_types=1);

namespace ShedTests;

use stdClass;

/**
 * JSON Schema, as far as answers need it: formats and what is not known here are not looked at.
 */
final class Schema
{
    private function __construct(private readonly mixed $root)
    {
    }

    /**
     * @return list<string>
     */
    public static function misfits(mixed $value, mixed $schema): array
    {
        return (new self($schema))->check($value, $schema, '');
    }

    /**
     * @return list<string>
     */
    private function check(mixed $value, mixed $schema, string $at): array
    {
        if ($schema === false) {
            return ["$at: nothing may be here"];
        }
        if (!$schema instanceof stdClass) {
            return [];
        }
        $wrong = [...$this->checkValue($value, $schema), ...$this->checkChoices($value, $schema)];
        $wrong = array_map(fn (string $what): string => "$at: $what", $wrong);
        foreach ($this->inner($value, $schema) as [$member, $inner, $below]) {
            $wrong = [...$wrong, ...$this->check($member, $inner, $at . $below)];
        }

        return $wrong;
    }

    /**
     * @return list<string>
     */
    private function checkValue(mixed $value, stdClass $schema): array
    {
        $kind = Answer::kindOf($value);
        $wrong = [];
        $types = (array) ($schema->type ?? []);
        $fits = fn (string $type): bool => $type === $kind || ($type === 'number' && $kind === 'integer');
        if ($types !== [] && array_filter($types, $fits) === []) {
            $wrong[] = 'is no ' . implode(' or ', $types);
        }
        if (isset($schema->enum) && !$this->isOneOf($value, $schema->enum)) {
            $wrong[] = 'is none of ' . json_encode($schema->enum);
        }
        if (property_exists($schema, 'const') && !$this->isOneOf($value, [$schema->const])) {
            $wrong[] = 'is not ' . json_encode($schema->const);
        }
        $limits = match ($kind) {
            'integer', 'number' => $this->limitsOfNumber($value, $schema),
            'string' => $this->limitsOfText($value, $schema),
            'array' => $this->limits(count($value), $schema, 'minItems', 'maxItems', 'items'),
            'object' => $this->limitsOfObject($value, $schema),
            default => [],
        };

        return [...$wrong, ...$limits];
    }

    /**
     * @param list<mixed> $values
     */
    private function isOneOf(mixed $value, array $values): bool
    {
        $same = fn (mixed $other): bool => ApiTestCase::canonical($other) === ApiTestCase::canonical($value);

        return array_filter($values, $same) !== [];
    }

    /**
     * @return list<string>
     */
    private function limitsOfNumber(int|float $value, stdClass $schema): array
    {
        $bounds = [
            'minimum' => fn (int|float $bound): bool => $value >= $bound,
            'maximum' => fn (int|float $bound): bool => $value <= $bound,
            'exclusiveMinimum' => fn (int|float $bound): bool => $value > $bound,
            'exclusiveMaximum' => fn (int|float $bound): bool => $value < $bound,
        ];
        $wrong = [];
        foreach ($bounds as $name => $holds) {
            $bound = $schema->{$name} ?? null;
            if ((is_int($bound) || is_float($bound)) && !$holds($bound)) {
                $wrong[] = "is beyond the $name of $bound";
            }
        }

        return $wrong;
    }

    /**
     * @return list<string>
     */
    private function limitsOfText(string $value, stdClass $schema): array
    {
        $wrong = $this->limits(mb_strlen($value), $schema, 'minLength', 'maxLength', 'letters');
        $pattern = $schema->pattern ?? null;
        if (is_string($pattern) && !$this->matches($pattern, $value)) {
            $wrong[] = "does not match $pattern";
        }

        return $wrong;
    }

    private function matches(string $pattern, string $value): bool
    {
        return @preg_match('~' . str_replace('~', '\~', $pattern) . '~uD', $value) !== 0;
    }

    /**
     * @return list<string>
     */
    private function limitsOfObject(stdClass $value, stdClass $schema): array
    {
        $count = count(get_object_vars($value));
        $wrong = $this->limits($count, $schema, 'minProperties', 'maxProperties', 'members');
        foreach ((array) ($schema->required ?? []) as $name) {
            if (!property_exists($value, (string) $name)) {
                $wrong[] = "has no $name";
            }
        }

        return $wrong;
    }

    /**
     * @return list<string>
     */
    private function limits(int $count, stdClass $schema, string $least, string $most, string $of): array
    {
        $wrong = [];
        if (isset($schema->{$least}) && $count < $schema->{$least}) {
            $wrong[] = "has less than {$schema->{$least}} $of";
        }
        if (isset($schema->{$most}) && $count > $schema->{$most}) {
            $wrong[] = "has more than {$schema->{$most}} $of";
        }

        return $wrong;
    }

    /**
     * @return list<string>
     */
    private function checkChoices(mixed $value, stdClass $schema): array
    {
        $fits = fn (mixed $inner): bool => $this->check($value, $inner, '') === [];
        $wrong = [];
        if (isset($schema->anyOf) && array_filter($schema->anyOf, $fits) === []) {
            $wrong[] = 'fits none of anyOf';
        }
        if (isset($schema->oneOf) && count(array_filter($schema->oneOf, $fits)) !== 1) {
            $wrong[] = 'does not fit one of oneOf';
        }
        if (isset($schema->not) && $fits($schema->not)) {
            $wrong[] = 'fits what it must not';
        }

        return $wrong;
    }

    /**
     * What else must fit: a value, its schema, and where it lies.
     *
     * @return list<array{mixed, mixed, string}>
     */
    private function inner(mixed $value, stdClass $schema): array
    {
        $inner = array_map(fn (mixed $one): array => [$value, $one, ''], $schema->allOf ?? []);
        if (is_string($schema->{'$ref'} ?? null)) {
            $inner[] = [$value, $this->resolved($schema->{'$ref'}), ''];
        }
        if (is_array($value)) {
            foreach ($value as $place => $item) {
                $inner[] = [$item, $schema->prefixItems[$place] ?? $schema->items ?? true, "/$place"];
            }
        }
        if ($value instanceof stdClass) {
            foreach (get_object_vars($value) as $name => $member) {
                foreach ($this->ofMember((string) $name, $schema) as $one) {
                    $inner[] = [$member, $one, "/$name"];
                }
            }
        }

        return $inner;
    }

    /**
     * @return list<mixed>
     */
    private function ofMember(string $name, stdClass $schema): array
    {
        $own = [];
        if (property_exists($schema->properties ?? new stdClass(), $name)) {
            $own[] = $schema->properties->{$name};
        }
        foreach (get_object_vars($schema->patternProperties ?? new stdClass()) as $pattern => $one) {
            if ($this->matches((string) $pattern, $name)) {
                $own[] = $one;
            }
        }

        return $own === [] ? [$schema->additionalProperties ?? true] : $own;
    }

    private function resolved(string $reference): mixed
    {
        $found = $this->root;
        foreach (array_slice(explode('/', rawurldecode($reference)), 1) as $part) {
            $key = str_replace(['~1', '~0'], ['/', '~'], $part);
            $found = is_array($found) ? ($found[(int) $key] ?? true) : ($found->{$key} ?? true);
        }

        return $found;
    }
}
