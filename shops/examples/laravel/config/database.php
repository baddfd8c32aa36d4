<?php

return [
    'default' => 'sqlite',
    'connections' => [
        'sqlite' => [
            'driver' => 'sqlite',
            'database' => env('SHOP_DATABASE', database_path('orders.sqlite')),
            'prefix' => '',
            'options' => [PDO::ATTR_TIMEOUT => 30],
        ],
    ],
    'migrations' => 'migrations',
];
