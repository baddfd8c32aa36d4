<?php

return [
    'url' => env('QUITTANCE_URL'),
    'key' => env('QUITTANCE_KEY'),
    'secret' => env('QUITTANCE_SECRET'),
    'webhook_secret' => env('QUITTANCE_WEBHOOK_SECRET'),
];
