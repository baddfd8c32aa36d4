<?php

// For `php -S`: appends each request that comes to the file of QUITTANCE_RECEIVED, a line of JSON each.

declare(strict_types=1);

$webhook = ['headers' => getallheaders(), 'body' => file_get_contents('php://input')];
file_put_contents(getenv('QUITTANCE_RECEIVED'), json_encode($webhook) . "\n", FILE_APPEND | LOCK_EX);
