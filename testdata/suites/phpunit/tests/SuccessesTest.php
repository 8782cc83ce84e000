<?php

/**
 * Shed: what works.
 * Made by fossick: fossick test openapi.json --seed 1
 */

declare(strict_types=1);

namespace ShedTests;

final class SuccessesTest extends ApiTestCase
{
    public function testToolIsMadeAndReadBack(): void
    {
        $alice = self::sender('alice');
        $mark = self::fresh('Ab-9z9Z9');
        $code = self::fresh('ZZ-1234');

        // Makes a tool.
        $answer = $alice->sendJson('POST', '/tools', [
            'name' => 'Spirit level ' . $mark,
            'code' => $code,
            'deposit' => 900,
            'boughtOn' => null,
            'tags' => ['level', $mark . '!', 'blue'],
            'maker' => ['name' => 'O\'Brien & "Sons"', 'towns' => []],
        ]);
        self::assertSame(201, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        self::assertSame('integer', $answer->kind('id'), $answer->story());
        self::assertSame('string', $answer->kind('name'), $answer->story());
        self::assertSame($code, $answer->at('code'), $answer->story());
        self::assertSame(900, $answer->at('deposit'), $answer->story());
        self::assertSame(null, $answer->at('boughtOn'), $answer->story());
        self::assertSame(3, $answer->size('tags'), $answer->story());
        self::assertSame('level', $answer->at('tags', 0), $answer->story());
        self::assertSame('blue', $answer->at('tags', 2), $answer->story());
        self::assertTrue($answer->lacks('tags', 3), $answer->story());
        self::assertSame('object', $answer->kind('maker'), $answer->story());
        self::assertSame('O\'Brien & "Sons"', $answer->at('maker', 'name'), $answer->story());
        self::assertSame(0, $answer->size('maker', 'towns'), $answer->story());
        self::assertTrue($answer->lacks('pin'), $answer->story());
        self::assertSame([], $answer->misfits('tool'), $answer->story());
        $toolId = $answer->location();
        $tag = $answer->header('ETag');
        $number = $answer->take('/id');
        $tags = $answer->take('/tags');

        // Reads it back.
        $answer = $alice->send('GET', '/tools/' . self::segment($toolId));
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        self::assertSameJson($number, $answer->at('id'), $answer->story());
        self::assertSameJson($tags, $answer->at('tags'), $answer->story());
        self::assertSame([], $answer->misfits('tool'), $answer->story());

        // Asks whether it has changed.
        $answer = $alice->send(
            'GET',
            '/tools/' . self::segment($toolId),
            ['If-None-Match' => $tag, 'Accept' => 'application/json']
        );
        self::assertSame(304, $answer->status, $answer->story());
        self::assertSame('', $answer->body, $answer->story());

        $answer = $alice->send('HEAD', '/tools/' . self::segment($toolId));
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        self::assertSame('', $answer->body, $answer->story());
    }

    /**
     * The name has a slash, a space, an apostrophe and letters beyond ASCII.
     */
    public function testToolIsFoundByANameThatNeedsEscapes(): void
    {
        $alice = self::sender('alice');
        $bob = self::sender('bob');
        $name = self::fresh('Zoë\'s 1/2 saw & 100% "x6fch"');

        // Makes a tool.
        $answer = $alice->sendJson(
            'POST',
            '/tools',
            ['name' => $name, 'code' => 'ME-0042', 'tags' => ['level', 'blue']]
        );
        self::assertSame(201, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        $number = $answer->take('/id');

        $answer = $bob->send('GET', '/tools?sort=id&name=' . self::segment($name));
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame(1, $answer->size(), $answer->story());
        self::assertSameJson($number, $answer->at(0, 'id'), $answer->story());
        self::assertSame($name, $answer->at(0, 'name'), $answer->story());

        // Has moved; nobody follows.
        $answer = $bob->send('GET', '/former/' . self::segment($name));
        self::assertSame(301, $answer->status, $answer->story());
        self::assertSame('', $answer->body, $answer->story());
        $there = $answer->location();

        $answer = $bob->send('GET', '/named/' . self::segment($there));
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        self::assertSame($name, $answer->at('name'), $answer->story());
        self::assertSame($there, $answer->at('name'), $answer->story());

        // Asks GraphQL for it.
        $answer = $bob->sendJson('POST', '/graphql', [
            'query' => "query Tool(\$name: String!) {\n  tool(name: \$name) {\n    id\n    name\n  }\n}",
            'variables' => ['name' => $name],
            'operationName' => 'Tool',
        ]);
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        self::assertTrue($answer->lacks('errors'), $answer->story());
        self::assertSameJson($number, $answer->at('data', 'tool', 'id'), $answer->story());
        self::assertSame($name, $answer->at('data', 'tool', 'name'), $answer->story());
    }

    /**
     * Where it stands in the lists is a matter of what others made.
     */
    public function testToolIsListedAmongThoseOfOthers(): void
    {
        $alice = self::sender('alice');
        $bob = self::sender('bob');
        $name = self::fresh('plane-k3x9q');

        // Makes a tool.
        $answer = $alice->sendJson('POST', '/tools', [
            'name' => $name,
            'code' => 'LI-0007',
            'tags' => ['level', 'blue'],
            'boughtOn' => null,
        ]);
        self::assertSame(201, $answer->status, $answer->story());
        self::assertSame('integer', $answer->kind('id'), $answer->story());
        $toolId = $answer->take('/id');

        $answer = $alice->send('GET', '/tools');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('array', $answer->kind(), $answer->story());
        self::assertSame('object', $answer->kind(new Item($toolId, 'id')), $answer->story());
        self::assertSameJson($toolId, $answer->at(new Item($toolId, 'id'), 'id'), $answer->story());
        self::assertSame('LI-0007', $answer->at(new Item($toolId, 'id'), 'code'), $answer->story());
        self::assertSame(null, $answer->at(new Item($toolId, 'id'), 'boughtOn'), $answer->story());
        self::assertSame(2, $answer->size(new Item($toolId, 'id'), 'tags'), $answer->story());
        self::assertSame('blue', $answer->at(new Item($toolId, 'id'), 'tags', 1), $answer->story());
        self::assertTrue($answer->lacks(new Item($toolId, 'id'), 'pin'), $answer->story());

        // Asks for pages.
        $answer = $bob->send('GET', '/catalogue');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('array', $answer->kind('catalogue', 'edges'), $answer->story());
        self::assertSame(
            $name,
            $answer->at('catalogue', 'edges', new Item($toolId, 'node', 'id'), 'node', 'name'),
            $answer->story()
        );
        self::assertSameJson(
            $toolId,
            $answer->at('catalogue', 'edges', new Item($name, 'node', 'name'), 'node', 'id'),
            $answer->story()
        );
        self::assertTrue(
            $answer->isNumber('catalogue', 'edges', new Item($name, 'node', 'name'), 'node', 'id'),
            $answer->story()
        );
        self::assertSame($name, $answer->at('catalogue', 'names', new Item($name)), $answer->story());
        self::assertTrue($answer->lacks('catalogue', 'edges', new Item($toolId, 'id')), $answer->story());

        // Looks where it is not.
        $answer = $alice->send('GET', '/tools?name=nobody');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertTrue($answer->lacks(new Item($toolId, 'id')), $answer->story());
    }

    /**
     * Nothing in an answer may break a test: not ''' nor """ nor * / nor ? > nor -- > nor \u002a/ nor
     * ${x} nor {{x}}.
     */
    public function testOddTextsComeAsTheyAre(): void
    {
        $nobody = self::sender('nobody');

        $answer = $nobody->send('GET', '/odd');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/json', $answer->mediaType(), $answer->story());
        self::assertSame('\'; DROP TABLE tools; -- " \\ `', $answer->at('it\'s "quoted"'), $answer->story());
        self::assertSame('${HOME} $HOME $(id) `id` #{x} {{x}} {x} %s %(x)s', $answer->at('a/b~c.d'), $answer->story());
        self::assertSame('*/ // ?> --> <!-- ]]> </script> <?php', $answer->at('$ref'), $answer->story());
        self::assertSame(
            "line one\nline two\r\n\ttab\u{c}\u{8}\u{1}\u{7f}\u{85}\u{2028}\u{2029}end",
            $answer->at(''),
            $answer->story()
        );
        self::assertSame('\\u0022 \\x22 \\n \\\' \\" \\\\ \\', $answer->at('0'), $answer->story());
        self::assertSame("Zoë 木 \u{1f6e0} \u{202e}\u{feff} e\u{301}", $answer->at('unicode'), $answer->story());
        self::assertSame(
            'A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, ',
            $answer->at('long'),
            $answer->story()
        );
        self::assertSame(7, $answer->size('numbers'), $answer->story());
        self::assertSame(0, $answer->at('numbers', 0), $answer->story());
        self::assertSame(-1, $answer->at('numbers', 1), $answer->story());
        self::assertSame(2.5, $answer->at('numbers', 2), $answer->story());
        self::assertSame(1e-7, $answer->at('numbers', 3), $answer->story());
        self::assertSame(1e300, $answer->at('numbers', 4), $answer->story());
        self::assertSame(9007199254740993, $answer->at('numbers', 5), $answer->story());
        self::assertSame(18446744073709551615, $answer->at('numbers', 6), $answer->story());
        self::assertSame(6, $answer->size('scalars'), $answer->story());
        self::assertSame(true, $answer->at('scalars', 0), $answer->story());
        self::assertSame(false, $answer->at('scalars', 1), $answer->story());
        self::assertSame(null, $answer->at('scalars', 2), $answer->story());
        self::assertSame('', $answer->at('scalars', 3), $answer->story());
        self::assertSame('object', $answer->kind('scalars', 4), $answer->story());
        self::assertSame(0, $answer->size('scalars', 5), $answer->story());
        self::assertSame(1, $answer->size('deep'), $answer->story());
        self::assertSame(1, $answer->size('deep', 0), $answer->story());
        self::assertSame(1, $answer->size('deep', 0, 0, 'deeper'), $answer->story());
        self::assertSame('here', $answer->at('deep', 0, 0, 'deeper', 0, 'deepest'), $answer->story());
        self::assertSame('integer', $answer->kind('numbers', 0), $answer->story());
        self::assertTrue($answer->isNumber('numbers', 0), $answer->story());
        self::assertTrue($answer->isNumber('numbers', 2), $answer->story());
        self::assertSame('boolean', $answer->kind('scalars', 0), $answer->story());
        self::assertSame('null', $answer->kind('scalars', 2), $answer->story());
        self::assertSame('array', $answer->kind('scalars', 5), $answer->story());
        self::assertTrue($answer->lacks('scalars', 6), $answer->story());
        self::assertTrue($answer->lacks('deep', 0, 0, 'shallow'), $answer->story());
        self::assertSame('object', $answer->kind(), $answer->story());
        self::assertSame([], $answer->misfits('odd_thing'), $answer->story());
    }

    public function testBodiesGoOutAsTheyAre(): void
    {
        $nobody = self::sender('nobody');
        $mark = self::fresh('a1B2c3');

        $answer = $nobody->send(
            'POST',
            '/echo',
            ['Content-Type' => 'text/plain'],
            "line one\nit's \"two\" \\ \${HOME} {{x}} `id` \$(id) %s\r\n\tend é "
        );
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('text/plain', $answer->mediaType(), $answer->story());
        self::assertSame(
            "line one\nit's \"two\" \\ \${HOME} {{x}} `id` \$(id) %s\r\n\tend é ",
            $answer->body,
            $answer->story()
        );

        $answer = $nobody->send(
            'POST',
            '/measure',
            [
                'X-Note' => 'mark is \'' . $mark . '\'',
                'Content-Type' => 'application/x-www-form-urlencoded',
            ],
            'mark=' . $mark . '&more=%20'
        );
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('POST', $answer->at('method'), $answer->story());
        self::assertSame('application/x-www-form-urlencoded', $answer->at('media_type'), $answer->story());
        self::assertSame(20, $answer->at('size'), $answer->story());
        self::assertSame('string', $answer->kind('note'), $answer->story());

        $answer = $nobody->send(
            'PUT',
            '/measure',
            ['Content-Type' => 'application/octet-stream'],
            "\x00\xFF\xFE{}'\"\\\x0A\x0D\$"
        );
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/octet-stream', $answer->at('media_type'), $answer->story());
        self::assertSame('00fffe7b7d27225c0a0d24', $answer->at('hex'), $answer->story());

        $answer = $nobody->sendJson(
            'PATCH',
            '/measure',
            ['a' => 1, 'b' => [true, null], 'c' => "\u{2028}"],
            ['Content-Type' => 'application/merge-patch+json']
        );
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('application/merge-patch+json', $answer->at('media_type'), $answer->story());

        $answer = $nobody->send('POST', '/measure');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('', $answer->at('media_type'), $answer->story());
        self::assertSame(0, $answer->at('size'), $answer->story());
        self::assertSame(null, $answer->at('note'), $answer->story());
    }

    public function testListAndNumberStandAlone(): void
    {
        $nobody = self::sender('nobody');

        $answer = $nobody->send('GET', '/categories');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame('array', $answer->kind(), $answer->story());
        self::assertSame(2, $answer->size(), $answer->story());
        self::assertSame('hand', $answer->at(0), $answer->story());
        self::assertSame('string', $answer->kind(1), $answer->story());
        self::assertTrue($answer->lacks(2), $answer->story());

        $answer = $nobody->send('GET', '/count');
        self::assertSame(200, $answer->status, $answer->story());
        self::assertSame(3, $answer->at(), $answer->story());
        self::assertSame('integer', $answer->kind(), $answer->story());
        self::assertTrue($answer->isNumber(), $answer->story());
    }
}
