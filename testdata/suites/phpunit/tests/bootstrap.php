<?php

/**
 * Shed.
 * Made by fossick: fossick test openapi.json --seed 1
 * Needs in the environment: ALICE_AUTHORIZATION, BOB_PASSWORD
 */

declare(strict_types=1);

require_once __DIR__ . '/Schema.php';
require_once __DIR__ . '/Item.php';
require_once __DIR__ . '/Answer.php';
require_once __DIR__ . '/Sender.php';
require_once __DIR__ . '/ApiTestCase.php';
