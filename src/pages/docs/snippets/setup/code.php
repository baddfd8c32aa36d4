<?php
require 'vendor/autoload.php';

$quittance = new Quittance\Quittance(
    baseUrl: '{{url}}',
    key: '{{key}}',
    secret: '{{secret}}',
);
