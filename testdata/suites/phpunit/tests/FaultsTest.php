<?php

/**
 * Shed: suspected faults.
 * Made by fossick: fossick test openapi.json --seed 1
 */

declare(strict_types=1);

namespace ShedTests;

final class FaultsTest extends ApiTestCase
{
    /**
     * A repair is made and deleted; then somebody looks for it.
     * It should be gone: 404 or 410.
     * Suspected fault F301: still served after it was deleted.
     * DELETE answered 204, and the same path answers 200 afterwards with the repair as it was before it
     * was deleted.
     * The test shows the behaviour as it is, and passes.
     */
    public function testDeletedRepairIsStillServed(): void
    {
        $alice = self::sender('alice');
        $name = self::fresh('spirit level x6fch');

        // Makes a tool.
        $answer = $alice->sendJson(
            'POST',
            '/tools',
            ['name' => $name, 'code' => 'ME-0042', 'tags' => ['level', 'blue']]
        );
        self::assertSame(201, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        $toolId = $answer->location();

        // Makes a repair.
        $answer = $alice->sendJson(
            'POST',
            '/tools/' . self::segment($toolId) . '/repairs',
            ['note' => 'New handle', 'hours' => 1.5, 'urgent' => false]
        );
        self::assertSame(201, $answer->status, $answer->story());
        $repairId = $answer->take('/id');

        $answer = $alice->send('DELETE', '/tools/' . self::segment($toolId) . '/repairs/' . self::segment($repairId));
        self::assertSame(204, $answer->status, $answer->story());
        self::assertSame('', $answer->body, $answer->story());

        // Looks at what is gone.
        $answer = $alice->send('GET', '/tools/' . self::segment($toolId) . '/repairs/' . self::segment($repairId));
        // This is the suspected fault F301.
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        self::assertSameJson($repairId, $answer->at('id'), $answer->story());
        self::assertSame('integer', $answer->kind('tool'), $answer->story());
        self::assertSame('New handle', $answer->at('note'), $answer->story());
        self::assertSame(1.5, $answer->at('hours'), $answer->story());
        self::assertSame(false, $answer->at('urgent'), $answer->story());
    }

    /**
     * Suspected fault F401: authentication ignored.
     * The contract asks for a token; the request had none.
     * The test shows the behaviour as it is, and passes.
     */
    public function testLedgerIsShownToAnybody(): void
    {
        $alice = self::sender('alice');
        $nobody = self::sender('nobody');

        // Somebody of the staff may see it.
        $answer = $alice->send('GET', '/staff/ledger');
        self::assertSame(200, $answer->status, $answer->story());

        // So may everybody else.
        $answer = $nobody->send('GET', '/staff/ledger');
        // This is the suspected fault F401.
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame(0, $answer->size('loans'), $answer->story());
    }

    /**
     * Suspected fault F201: answer breaks its schema.
     * /fee is a string where a number is promised. * / ? > -- > ''' """ \ #.
     * The test shows the behaviour as it is, and passes.
     */
    public function testFeeOfTheLedgerIsAText(): void
    {
        $bob = self::sender('bob');

        $answer = $bob->send('GET', '/staff/ledger');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        // This is the suspected fault F201.
        self::assertSame('string', $answer->kind('fee'), $answer->story());
        self::assertSame('12', $answer->at('fee'), $answer->story());
    }

    /**
     * Suspected fault F201: answer breaks its schema.
     * Size is a string where a number is promised.
     * The test shows the behaviour as it is, and passes.
     */
    public function testSizeOfAListedToolIsAText(): void
    {
        $alice = self::sender('alice');
        $name = self::fresh('plane-k3x9q');

        // Makes a tool.
        $answer = $alice->sendJson('POST', '/tools', ['name' => $name, 'code' => 'LI-0007', 'size' => 3]);
        self::assertSame(201, $answer->status, $answer->story());
        self::assertSame('integer', $answer->kind('id'), $answer->story());
        $toolId = $answer->take('/id');

        $answer = $alice->send('GET', '/tools');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        self::assertSame('array', $answer->kind(), $answer->story());
        self::assertSame($name, $answer->at(new Item($toolId, 'id'), 'name'), $answer->story());
        // This is the suspected fault F201.
        self::assertSame('string', $answer->kind(new Item($toolId, 'id'), 'size'), $answer->story());
    }

    /**
     * Any other limit is served.
     * Suspected fault F101: server error.
     * The service answered 500 to a request that the contract allows.
     * The test shows the behaviour as it is, and passes.
     */
    public function testLimitOf73EndsInACrash(): void
    {
        $alice = self::sender('alice');

        $answer = $alice->send('GET', '/tools?limit=73&available=true');
        // This is the suspected fault F101.
        self::assertSame(500, $answer->status, $answer->story());
        self::assertSame('application/problem+json', $answer->mediaType(), $answer->story());
        self::assertSame('something went wrong in here', $answer->at('detail'), $answer->story());
    }
}
