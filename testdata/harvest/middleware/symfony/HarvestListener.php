<?php

declare(strict_types=1);

namespace App;

use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\Event\TerminateEvent;
use Symfony\Component\HttpKernel\KernelEvents;

/**
 * Tells a collector of the calls that a Symfony service answers.
 *
 * It speaks when the answer is sent already. A process of PHP serves one request at a time and has
 * no background, so a call is told at once or not at all: where the collector does not answer in
 * time, nobody tries again for some seconds, and what is not told is counted: a byte for each in a
 * file, which all processes share.
 */
final class HarvestListener implements EventSubscriberInterface
{
    // PHP takes credentials out of their header and lays them beside it.
    private const SECRET = [
        'authorization', 'proxy-authorization', 'cookie', 'x-api-key',
        'php-auth-user', 'php-auth-pw', 'php-auth-digest',
    ];
    private const LARGEST = 65536;
    private const PATIENCE = 0.2;
    private const PAUSE = 2;

    private string $dropped;
    private string $failed;

    public function __construct(private string $collector, string $folder)
    {
        $this->dropped = $folder.'/harvest-dropped';
        $this->failed = $folder.'/harvest-failed';
    }

    public static function getSubscribedEvents(): array
    {
        return [
            KernelEvents::REQUEST => ['begin', 4096],
            KernelEvents::TERMINATE => ['finish', -4096],
        ];
    }

    public function begin(RequestEvent $event): void
    {
        if ($event->isMainRequest()) {
            $event->getRequest()->attributes->set('_harvest_began', microtime(true));
        }
    }

    public function finish(TerminateEvent $event): void
    {
        try {
            $request = $event->getRequest();
            $line = $this->fits($request) ? $this->line($request, $event->getResponse()) : null;
            if (null === $line || $this->isPaused() || !$this->send($line)) {
                file_put_contents($this->dropped, '.', \FILE_APPEND);
            }
        } catch (\Throwable) {
            // The service goes on, whatever is the matter here.
        }
    }

    /** PHP takes forms with files apart by itself; what they were is not to be had. */
    private function fits(Request $request): bool
    {
        $type = (string) $request->headers->get('content-type');

        return (int) $request->headers->get('content-length') <= self::LARGEST
            && !str_starts_with($type, 'multipart/');
    }

    private function line(Request $request, Response $response): string
    {
        $began = $request->attributes->get('_harvest_began', microtime(true));
        $took = microtime(true) - $began;
        $headers = array_diff_key($request->headers->all(), array_flip(self::SECRET));

        return json_encode([
            'at' => $began,
            'method' => $request->getRealMethod(),
            'target' => $request->getRequestUri(),
            'headers' => $headers,
            'client' => $request->getClientIp(),
            'status' => $response->getStatusCode(),
            'took_ms' => $took * 1000,
            'answer_type' => $response->headers->get('content-type'),
        ] + $this->content('body', $request->getContent()) + $this->answer($response), \JSON_THROW_ON_ERROR)."\n";
    }

    private function answer(Response $response): array
    {
        $whole = !$response instanceof StreamedResponse && !$response instanceof BinaryFileResponse
            && !$response->headers->has('content-encoding');

        return $whole ? $this->content('answer', (string) $response->getContent()) : [];
    }

    private function content(string $name, string $bytes): array
    {
        if ('' === $bytes || \strlen($bytes) > self::LARGEST) {
            return [];
        }

        return preg_match('//u', $bytes) ? [$name => $bytes] : [$name.'_base64' => base64_encode($bytes)];
    }

    /** After a failure nobody tries for some seconds. */
    private function isPaused(): bool
    {
        clearstatcache();

        return is_file($this->failed) && filemtime($this->failed) > time() - self::PAUSE;
    }

    private function send(string $line): bool
    {
        // What was dropped is told by one process alone.
        $told = $this->dropped.'-'.getmypid();
        $dropped = @rename($this->dropped, $told) ? file_get_contents($told) : '';
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => 'content-type: application/x-ndjson'
                ."\r\nx-dropped: ".\strlen($dropped)
                ."\r\nconnection: close",
            'content' => $line,
            'timeout' => self::PATIENCE,
        ]]);
        $sent = false !== @file_get_contents($this->collector, false, $context);
        if (!$sent) {
            touch($this->failed);
            file_put_contents($this->dropped, $dropped, \FILE_APPEND);
        }
        @unlink($told);

        return $sent;
    }
}
