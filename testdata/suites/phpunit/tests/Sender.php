<?php

/**
 * Shed.
 * Made by fossick: fossick test openapi.json --seed 1
 */

declare(strict_types=1);

namespace ShedTests;

use PHPUnit\Framework\Assert;

/**
 * Somebody who sends requests.
 */
final class Sender
{
    /**
     * @param list<string> $credentials headers that go with every request
     */
    public function __construct(private readonly string $baseUrl, private readonly array $credentials)
    {
    }

    /**
     * @param array<string, string> $headers
     */
    public function send(string $method, string $path, array $headers = [], ?string $body = null): Answer
    {
        $lines = [...$this->credentials, 'Expect:'];
        foreach ($headers as $name => $value) {
            $value = preg_replace('/[\x00-\x08\x0A-\x1F\x7F]/', '', $value);
            $lines[] = $value === '' ? "$name;" : "$name: $value";
        }
        if ($body === null && in_array($method, ['POST', 'PUT', 'PATCH'], true)) {
            $lines[] = 'Content-Length: 0';
        }

        return $this->ask($method, $path, $lines, $body);
    }

    /**
     * @param array<string, string> $headers
     */
    public function sendJson(
        string $method,
        string $path,
        mixed $body,
        array $headers = ['Content-Type' => 'application/json']
    ): Answer {
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;

        return $this->send($method, $path, $headers, json_encode($body, $flags));
    }

    /**
     * @param list<string> $lines
     */
    private function ask(string $method, string $path, array $lines, ?string $body): Answer
    {
        $headers = [];
        $handle = curl_init($this->baseUrl . $path);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_NOBODY => $method === 'HEAD',
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_HEADERFUNCTION => function ($handle, string $line) use (&$headers): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $headers[strtolower(trim($name))] ??= trim($value);

                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
        }
        $said = curl_exec($handle);
        if (!is_string($said)) {
            Assert::fail("$method $path had no answer: " . curl_error($handle));
        }

        return new Answer("$method $path", curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $said);
    }
}
