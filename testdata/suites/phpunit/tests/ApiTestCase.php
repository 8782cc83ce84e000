<?php

/**
 * Shed.
 * Made by fossick: fossick test openapi.json --seed 1
 */

declare(strict_types=1);

namespace ShedTests;

use PHPUnit\Framework\TestCase;
use stdClass;

/**
 * What the tests share.
 */
abstract class ApiTestCase extends TestCase
{
    /** @var array<string, string> */
    private static array $tokens = [];

    protected static function sender(string $user): Sender
    {
        return new Sender(self::baseUrl(), match ($user) {
            'alice' => ['Authorization: ' . self::secret('ALICE_AUTHORIZATION')],
            'bob' => ['Authorization: Bearer ' . self::$tokens['bob'] ??= self::logInBob()],
            'nobody' => [],
        });
    }

    private static function baseUrl(): string
    {
        return rtrim(getenv('FOSSICK_BASE_URL') ?: 'http://127.0.0.1:8460', '/');
    }

    /**
     * Once in a run.
     */
    private static function logInBob(): string
    {
        $bobPassword = self::secret('BOB_PASSWORD');
        $nobody = new Sender(self::baseUrl(), []);
        $answer = $nobody->sendJson('POST', '/login', ['name' => 'bob', 'password' => $bobPassword]);
        self::assertSame(2, intdiv($answer->status, 100), 'bob can\'t log in: ' . $answer->story());

        return self::text($answer->take('/token'));
    }

    /**
     * Credentials come from the environment.
     */
    private static function secret(string $variable): string
    {
        $value = getenv($variable);
        if ($value === false || $value === '') {
            self::markTestSkipped("$variable is not set in the environment.");
        }

        return $value;
    }

    /**
     * Compares type and all, also of lists and objects.
     */
    protected static function assertSameJson(mixed $expected, mixed $actual, string $message): void
    {
        self::assertSame(self::canonical($expected), self::canonical($actual), $message);
    }

    protected static function assertNotSameJson(mixed $expected, mixed $actual, string $message): void
    {
        self::assertNotSame(self::canonical($expected), self::canonical($actual), $message);
    }

    public static function canonical(mixed $value): string
    {
        return json_encode(self::sorted($value), JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
    }

    private static function sorted(mixed $value): mixed
    {
        if (is_array($value)) {
            return array_map(self::sorted(...), $value);
        }
        if (!$value instanceof stdClass) {
            return $value;
        }
        $members = array_map(self::sorted(...), get_object_vars($value));
        ksort($members, SORT_STRING);

        return (object) $members;
    }

    /**
     * A value as a part of a text.
     */
    protected static function text(mixed $value): string
    {
        return is_string($value) ? $value : json_encode($value, JSON_THROW_ON_ERROR);
    }

    /**
     * A value as a part of a path or a query.
     */
    protected static function segment(mixed $value): string
    {
        return rawurlencode(self::text($value));
    }

    /**
     * A new text of the same make: its last five letters and digits are thrown anew.
     */
    protected static function fresh(string $like): string
    {
        $left = 5;
        for ($at = strlen($like) - 1; $at >= 0 && $left > 0; $at--) {
            $first = match (true) {
                ctype_lower($like[$at]) => 'a',
                ctype_upper($like[$at]) => 'A',
                ctype_digit($like[$at]) => '0',
                default => null,
            };
            if ($first !== null) {
                $like[$at] = chr(ord($first) + random_int(0, $first === '0' ? 9 : 25));
                $left--;
            }
        }

        return $like;
    }
}
