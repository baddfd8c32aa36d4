<?php

// A receiver of webhooks: it believes nothing that is not signed. WEBHOOK_SECRET is the secret whsec_…

declare(strict_types=1);

use Quittance\Exception\WebhookVerificationError;
use Quittance\Webhooks;

require getenv('QUITTANCE_AUTOLOAD') ?: __DIR__ . '/../vendor/autoload.php';

try {
    // The bytes as they came: JSON that is parsed and written again is another text.
    $event = Webhooks::verify(
        file_get_contents('php://input'),
        getallheaders(),
        getenv('WEBHOOK_SECRET'),
    );
} catch (WebhookVerificationError $error) {
    http_response_code(400);
    exit($error->errorCode);
}
// One event may come twice: store its id, and do nothing when it is there already.
if ($event->eventType === 'CHECKOUT_COMPLETED') {
    error_log("checkout {$event->data->checkout->id} is paid");
}
