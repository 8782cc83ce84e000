<?php

/**
 * Shed: what is refused, and the rest.
 * Made by fossick: fossick test openapi.json --seed 1
 */

declare(strict_types=1);

namespace ShedTests;

final class OthersTest extends ApiTestCase
{
    public function testToolWithoutACodeIsRefused(): void
    {
        $alice = self::sender('alice');
        $name = self::fresh('amber-x6fch');

        $answer = $alice->sendJson('POST', '/tools', ['name' => $name]);
        self::assertSame(400, $answer->status, $answer->story());
        self::assertSame('application/problem+json', $answer->mediaType(), $answer->story());
        self::assertSame(400, $answer->at('status'), $answer->story());
        self::assertSame('string', $answer->kind('detail'), $answer->story());

        // Sends JSON that breaks off.
        $answer = $alice->send('POST', '/tools', ['Content-Type' => 'application/json'], '{"name": "' . $name . '", ');
        self::assertSame(400, $answer->status, $answer->story());
    }

    public function testLoansNeedAToken(): void
    {
        $nobody = self::sender('nobody');
        $alice = self::sender('alice');
        $bob = self::sender('bob');

        $answer = $nobody->send('GET', '/staff/loans');
        self::assertSame(401, $answer->status, $answer->story());
        self::assertSame('application/problem+json', $answer->mediaType(), $answer->story());
        self::assertTrue($answer->lacks('loans'), $answer->story());
        $scheme = $answer->header('WWW-Authenticate');

        $answer = $nobody->sendJson('POST', '/measure', ['scheme' => $scheme]);
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('integer', $answer->kind('size'), $answer->story());

        $answer = $alice->send('GET', '/staff/loans');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('demo', $answer->at('by'), $answer->story());
        self::assertSame(0, $answer->size('loans'), $answer->story());

        $answer = $bob->send('GET', '/staff/loans');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('-bob', $answer->at('by'), $answer->story());
    }

    public function testToolThatNobodyHasIsNotFound(): void
    {
        $alice = self::sender('alice');

        $answer = $alice->send('GET', '/tools/999999999');
        self::assertSame(404, $answer->status, $answer->story());
        self::assertSame('application/problem+json', $answer->mediaType(), $answer->story());
        self::assertSame('there is no such tool', $answer->at('detail'), $answer->story());
    }
}
