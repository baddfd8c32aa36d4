<?php

// btcpayserver/btcpayserver-greenfield-php, unmodified, from the command line: what greenfield-php-stories.ts
// asks of it, answered as JSON. Only the address and the key are ours.

declare(strict_types=1);

use BTCPayServer\Client\Invoice;
use BTCPayServer\Client\Store;
use BTCPayServer\Client\Webhook;
use BTCPayServer\Util\PreciseNumber;

$folder = getenv('GREENFIELD_FOLDER');
spl_autoload_register(static function (string $class) use ($folder): void {
    $file = $folder . '/src/' . str_replace('\\', '/', substr($class, strlen('BTCPayServer\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});

[$base, $key] = [(string) getenv('GREENFIELD_BASE'), (string) getenv('GREENFIELD_KEY')];
[, $what, $store] = [...$argv, ''];
$rest = array_slice($argv, 3);
$invoices = new Invoice($base, $key);
echo json_encode(match ($what) {
    'stores' => array_map(static fn ($one) => $one->getId(), (new Store($base, $key))->getStores()),
    'listen' => (new Webhook($base, $key))->createWebhook($store, $rest[0], null, null)->getData(),
    'make' => $invoices->createInvoice($store, 'EUR', PreciseNumber::parseString($rest[0]), $rest[1])->getData(),
    'read' => $invoices->getInvoice($store, $rest[0])->getData(),
    'find' => array_map(
        static fn ($one) => $one->getId(),
        $invoices->getInvoicesByOrderIds($store, [$rest[0]])->all(),
    ),
    'methods' => array_map(
        static fn ($one) => $one->getData(),
        $invoices->getPaymentMethods($store, $rest[0]),
    ),
    'verify' => Webhook::isIncomingWebhookRequestValid(file_get_contents('php://stdin'), $rest[0], $rest[1]),
}, JSON_THROW_ON_ERROR);
