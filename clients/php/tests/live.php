<?php

// The library over a real service: QUITTANCE_URL, QUITTANCE_KEY and QUITTANCE_SECRET say which. Every
// endpoint is called; the last case says so.

declare(strict_types=1);

use Quittance\Clock;
use Quittance\Exception\AuthenticationError;
use Quittance\Exception\ConflictError;
use Quittance\Exception\InvalidRequestError;
use Quittance\Exception\QuittanceError;
use Quittance\Exception\WaitTimeoutError;
use Quittance\Http\CurlTransport;
use Quittance\Http\Request;
use Quittance\Http\Response;
use Quittance\Http\Transport;
use Quittance\Quittance;
use Quittance\SimulatedPayer;
use Quittance\Webhooks;

require __DIR__ . '/check.php';

const MISSING = 'aaaaaaaaaaaa';

/** Curl, and what was asked of it. */
final class NotingTransport implements Transport
{
    /** @var array<string, true> `METHOD path`, with `{id}` where one stands */
    public array $called = [];

    private readonly CurlTransport $curl;

    public function __construct()
    {
        $this->curl = new CurlTransport();
    }

    public function send(Request $request): Response
    {
        $path = str_replace('/api/v1', '', parse_url($request->url, PHP_URL_PATH));
        $route = preg_replace('#/[a-z0-9]{12}/#', '/{id}/', $path);
        $this->called["$request->method $route"] = true;
        return $this->curl->send($request);
    }
}

/** Two minutes behind. */
final class WrongClock implements Clock
{
    public function now(): float
    {
        return microtime(true) - 120;
    }

    public function sleep(float $seconds): void
    {
    }
}

function charge(string $netAmount): array
{
    return ['billingCurrency' => 'EUR', 'lineItems' => [['description' => 'Book', 'netAmount' => $netAmount]]];
}

function refused(Closure $act, string ...$codes): QuittanceError
{
    try {
        $act();
    } catch (QuittanceError $error) {
        if (!in_array($error->errorCode, $codes, true)) {
            throw $error;
        }
        return $error;
    }
    throw new RuntimeException('not refused');
}

/** Blocks come by themselves: one may come between the payment and its replacement. */
function replaceUnconfirmed(Quittance $client): int
{
    for ($tries = 0; ; $tries++) {
        $id = $client->checkout->create(['charge' => charge('9')])->id;
        $client->checkout->commit($id, ['network' => 'LITECOIN']);
        $client->sandbox->pay(['checkoutId' => $id]);
        // What nobody has seen yet cannot be replaced.
        $client->checkout->waitUntil($id, ['PENDING', 'COMPLETED'], 30);
        try {
            return count($client->sandbox->replace($id));
        } catch (ConflictError $error) {
            if ($tries > 5) {
                throw $error;
            }
        }
    }
}

/** @return Closure(string): array{headers: array<string, string>, body: string} */
function receiveWebhooks(int $port, string $file): Closure
{
    touch($file);
    $env = [...getenv(), 'QUITTANCE_RECEIVED' => $file];
    $pipes = [];
    $quiet = [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']];
    $command = [PHP_BINARY, '-S', "127.0.0.1:$port", __DIR__ . '/receiver.php'];
    $process = proc_open($command, $quiet, $pipes, null, $env);
    register_shutdown_function(static fn () => proc_terminate($process));
    return static function (string $type) use ($file): array {
        for ($tries = 0; $tries < 600; $tries++) {
            foreach (file($file) as $line) {
                $webhook = json_decode($line, true);
                if (str_contains($webhook['body'], $type)) {
                    return $webhook;
                }
            }
            usleep(50_000);
        }
        throw new RuntimeException("no webhook $type came");
    };
}

function freePort(): int
{
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    $port = (int) substr(strrchr(stream_socket_get_name($socket, false), ':'), 1);
    fclose($socket);
    return $port;
}

[$url, $key, $secret] = array_map('getenv', ['QUITTANCE_URL', 'QUITTANCE_KEY', 'QUITTANCE_SECRET']);
$transport = new NotingTransport();
$client = new Quittance($key, $secret, $url, transport: $transport);

runCases([
    'the service and its catalogue' => static function () use ($client): void {
        check(is_int($client->service->time()), true);
        check($client->service->authTest()->method, 'digest');
        check(count($client->service->languages()) > 5, true);
        check($client->service->openapi()->openapi, '3.1.0');
        $networks = array_map(static fn ($one) => $one->id, $client->catalogue->networks());
        check(in_array('LITECOIN', $networks, true), true);
        check(count($client->catalogue->assets()) > 5, true);
        check(count($client->catalogue->currencies()) > 20, true);
        check(count($client->catalogue->fiatCurrencies()) > 20, true);
        check(count($client->catalogue->blockchains()) > 3, true);
        check(count($client->catalogue->assetIssuers()) > 0, true);
        $wish = ['sourceAsset' => 'LTC:NATIVE', 'targetAsset' => 'EUR', 'sourceAmount' => '0.1'];
        check(is_string($client->catalogue->exchangeRate($wish)->targetAmount), true);
    },
    'a clock that is two minutes off makes no difference' => static function () use ($url, $key, $secret): void {
        $off = new Quittance($key, $secret, $url, clock: new WrongClock());
        check($off->service->authTest()->authenticated, true);
    },
    'wrong credentials are an AuthenticationError' => static function () use ($url, $key): void {
        $stranger = new Quittance($key, 'wrong', $url);
        $error = refused(static fn () => $stranger->service->authTest(), 'authentication_failed');
        check($error instanceof AuthenticationError, true);
    },
    'customers are made, changed, walked and deleted' => static function () use ($client): void {
        $ids = [];
        foreach (['ada', 'ben', 'cem'] as $name) {
            $meta = ['exact' => 9_007_199_254_740_993, 'share' => 0.5];
            $ids[] = $client->customers->create(['email' => "$name@shop.example", 'meta' => $meta])->customerId;
        }
        check($client->customers->update($ids[0], ['city' => 'Bern'])->city, 'Bern');
        check($client->customers->get($ids[0])->meta, ['exact' => '9007199254740993', 'share' => 0.5]);
        $walked = [];
        foreach ($client->customers->list(['limit' => 2]) as $customer) {
            $walked[] = $customer->id;
        }
        sort($walked);
        $wanted = $ids;
        sort($wanted);
        check($walked, $wanted);
        check(count($client->customers->list(['limit' => 2])->first()->items), 2);
        check($client->customers->delete($ids[0])->customerId, $ids[0]);
        refused(static fn () => $client->customers->get($ids[0]), 'customer_missing');
    },
    'one key makes one customer' => static function () use ($client): void {
        $options = ['idempotencyKey' => 'the same'];
        $made = $client->customers->create(['email' => 'once@shop.example'], $options);
        check($client->customers->create(['email' => 'once@shop.example'], $options), $made->toArray());
        $other = static fn () => $client->customers->create(['email' => 'twice@shop.example'], $options);
        refused($other, 'idempotency_key_reused');
    },
    'every fault of a request is told' => static function () use ($client): void {
        $wrong = ['billingCurrency' => 'EUR', 'lineItems' => [['description' => '', 'netAmount' => 'x']]];
        $error = refused(static fn () => $client->checkout->create(['charge' => $wrong]), 'validation_failed');
        check($error instanceof InvalidRequestError && count($error->errors) > 0, true);
        check(preg_match('/^[a-z0-9]{12}$/D', $error->requestId ?? ''), 1);
        check($client->checkout->validateCharge(charge('12.50'))->total, '12.50');
        refused(static fn () => $client->checkout->get(MISSING), 'checkout_missing');
    },
    'a checkout is paid, waited for, and told by webhooks that verify' => static function () use ($client, $secret): void {
        $file = tempnam(sys_get_temp_dir(), 'quittance-php-');
        $port = freePort();
        $next = receiveWebhooks($port, $file);
        usleep(300_000);
        $made = $client->webhookEndpoints->create(['url' => "http://127.0.0.1:$port/hook"]);
        $request = ['charge' => charge('23'), 'settlementAsset' => 'ORIGIN', 'meta' => ['order' => '7']];
        $checkout = $client->checkout->create($request);
        $networks = array_map(static fn ($way) => $way->network, $checkout->paymentMethods);
        check(in_array('LITECOIN', $networks, true), true);
        $committed = $client->checkout->commit($checkout->id, ['network' => 'LITECOIN']);
        check(is_string($committed->depositInstructions->address), true);
        check($client->sandbox->payAndConfirm($checkout->id)->state, 'COMPLETED');
        check($client->checkout->waitUntil($checkout->id, timeoutSeconds: 60)->state, 'COMPLETED');
        $listed = $client->checkout->list(['meta' => ['order' => '7']])->all();
        check(array_map(static fn ($one) => $one->id, $listed), [$checkout->id]);
        $told = $next('CHECKOUT_COMPLETED');
        foreach ([$made->secret, $secret, [MISSING, $made->secret]] as $right) {
            $event = Webhooks::verify($told['body'], $told['headers'], $right);
            check([$event->eventType, $event->data->checkout->id], ['CHECKOUT_COMPLETED', $checkout->id]);
        }
        $forged = static fn () => Webhooks::verify("{$told['body']} ", $told['headers'], $made->secret);
        refused($forged, 'signature_mismatch');
        $event = $client->events->list(['type' => 'CHECKOUT_COMPLETED'])->all(1)[0];
        check($client->events->redeliver($event->id)->id, $event->id);
        check($client->events->get($event->id)->id, $event->id);
        check(is_string($client->events->follow()->after), true);
        $asked = $client->requests->list()->all(1)[0];
        check($client->requests->get($asked->id)->id, $asked->id);
        $rotated = $client->webhookEndpoints->rotateSecret($made->webhookEndpoint->id);
        check($rotated->secret === $made->secret, false);
        $version = ['apiVersion' => Quittance::API_VERSION];
        $told = $client->webhookEndpoints->update($made->webhookEndpoint->id, $version);
        check([$told->id, $told->apiVersion], [$made->webhookEndpoint->id, $version['apiVersion']]);
        $client->webhookEndpoints->delete($made->webhookEndpoint->id);
        check(is_string($client->webhookEndpoints->list()->all()[0]->disabledTime), true);
        unlink($file);
    },
    'checkouts expire, are cancelled, and accepted underpaid' => static function () use ($client): void {
        $hosted = $client->checkout->createHosted(['charge' => charge('5')]);
        check(str_contains($hosted->url, '/checkout/'), true);
        check($client->checkout->cancel($hosted->id)->state, 'CANCELLED');
        $open = $client->checkout->createHosted(['charge' => charge('5')]);
        $client->checkout->commit($open->id, ['network' => 'LITECOIN']);
        $never = static fn () => $client->checkout->waitUntil($open->id, 'COMPLETED', 1);
        check(refused($never, 'wait_timeout') instanceof WaitTimeoutError, true);
        $client->sandbox->expire($open->id);
        $client->checkout->waitUntil($open->id, 'EXPIRED', 30);
        $under = $client->checkout->create(['charge' => charge('23')]);
        $wish = ['network' => 'LITECOIN', 'amount' => '0.2'];
        check($client->sandbox->payAndConfirm($under->id, $wish)->state, 'UNDERPAID');
        check($client->checkout->acceptUnderpaid($under->id)->state, 'COMPLETED');
    },
    'deposit addresses are paid' => static function () use ($client): void {
        $made = $client->depositAddresses->create(['network' => 'LITECOIN', 'label' => 'till']);
        check($client->depositAddresses->get($made->id)->address, $made->address);
        $listed = $client->depositAddresses->list()->all();
        check(array_map(static fn ($one) => $one->id, $listed), [$made->id]);
        $payments = $client->sandbox->pay(['depositAddressId' => $made->id, 'amount' => '1.5']);
        check($payments[0]->amount, '1.5');
        $client->sandbox->mine(['network' => 'LITECOIN', 'blocks' => 10]);
        for ($tries = 0; $tries < 200; $tries++) {
            if ((float) ($client->wallets->get('LTC')[0]->available ?? 0) >= 1.5) {
                return;
            }
            usleep(50_000);
        }
        throw new RuntimeException('the deposit was not credited');
    },
    'money leaves after quotes, by digest alone' => static function () use ($client): void {
        check(count($client->wallets->list()) > 0, true);
        $wish = ['sourceAsset' => 'LTC:NATIVE', 'targetAsset' => 'BTC:NATIVE', 'sourceAmount' => '0.1'];
        $swap = $client->swaps->create($wish);
        $done = $client->swaps->commit($swap->id);
        check([$done->id, $client->swaps->get($swap->id)->state], [$swap->id, $done->state]);
        $account = ['address' => 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0'];
        $person = ['label' => 'cold', 'network' => 'LITECOIN', 'account' => $account];
        $id = $client->beneficiaries->create($person)->beneficiaryId;
        check($client->beneficiaries->get($id)->label, 'cold');
        check(count($client->beneficiaries->list()->all()), 1);
        $wish = ['network' => 'LITECOIN', 'amount' => '0.5', 'targetAccount' => 'cold'];
        $transfer = $client->transfers->create($wish);
        check($client->transfers->commit($transfer->id)->id, $transfer->id);
        check($client->transfers->get($transfer->id)->amount, '0.5');
        check(count($client->transfers->list()->all()), 1);
        refused(static fn () => $client->transfers->cancel(MISSING), 'transfer_missing');
        $wish = ['asset' => 'LTC:NATIVE', 'threshold' => '100', 'keep' => '1', 'convertTo' => 'BTC:NATIVE'];
        $rule = $client->settlementRules->create($wish);
        check($client->settlementRules->pause($rule->id)->id, $rule->id);
        check($client->settlementRules->resume($rule->id)->id, $rule->id);
        check($client->settlementRules->get($rule->id)->settlementRule->id, $rule->id);
        check(count($client->settlementRules->list()->all()), 1);
        $client->settlementRules->delete($rule->id);
        check($client->approvals->list(), []);
        refused(static fn () => $client->approvals->approve('transfer:none'), 'approval_missing');
        $client->beneficiaries->delete($id);
    },
    'refunds are made and cancelled' => static function () use ($client): void {
        $id = $client->checkout->create(['charge' => charge('23')])->id;
        $client->sandbox->payAndConfirm($id, ['network' => 'LITECOIN']);
        $made = $client->refunds->create(['checkoutId' => $id, 'kind' => 'full']);
        check($client->refunds->get($made->id)->checkoutId, $id);
        check(count($client->refunds->list()->all()), 1);
        check($client->refunds->cancel($made->id)->id, $made->id);
    },
    'reports come as rows and as documents' => static function () use ($client): void {
        check(count($client->reports->ledger(['limit' => 5])->all(8)), 8);
        foreach (['balances', 'settlements', 'fees', 'taxes'] as $name) {
            $client->reports->$name()->all();
        }
        $client->reports->conversions(['currency' => 'EUR'])->all();
        $client->reports->gains(['currency' => 'EUR'])->all();
        $table = $client->reports->document('ledger', ['format' => 'csv', 'limit' => 3]);
        check(str_starts_with($table->contentType, 'text/csv'), true);
        check([count(explode("\n", trim($table->text))), is_string($table->nextCursor)], [4, true]);
    },
    'settings are read and changed' => static function () use ($client): void {
        $client->accountSettings->get();
        $look = $client->accountSettings->getPageLook();
        // It is of test and live together, and a live key sets it.
        $set = ['cornerRadius' => $look->cornerRadius];
        refused(static fn () => $client->accountSettings->updatePageLook($set), 'validation_failed');
        check($client->accountSettings->update(['riskTolerance' => 'LOW'])->riskTolerance, 'LOW');
        $client->spendingLimits->get();
        try {
            $client->spendingLimits->update(['kind' => 'transfer', 'measure' => 'amount', 'amount' => '1']);
        } catch (QuittanceError) {
            // Which limits can be lowered is a matter of the installation.
        }
        check($client->suspense->list()->all(), []);
    },
    'a simulated payer pays by itself' => static function () use ($client): void {
        $meta = SimulatedPayer::Underpaid->meta(['order' => '8']);
        $made = $client->checkout->create(['charge' => charge('9'), 'meta' => $meta]);
        $client->checkout->commit($made->id, ['network' => 'LITECOIN']);
        $paid = $client->checkout->waitUntil($made->id, 'UNDERPAID', 90);
        check([$paid->meta['order'], $paid->meta['sandbox']], ['8', 'underpaid']);
    },
    'simulated networks replace, reorganise and freeze' => static function () use ($client): void {
        check(replaceUnconfirmed($client), 1);
        $client->sandbox->mine(['network' => 'LITECOIN']);
        check($client->sandbox->reorg('LITECOIN', ['depth' => 1])->network, 'LITECOIN');
        check($client->sandbox->freeze('LITECOIN', ['seconds' => 0])->seconds, 0);
        $open = $client->checkout->createHosted(['charge' => charge('5')]);
        $client->checkout->commit($open->id, ['network' => 'LITECOIN']);
        $moved = $client->sandbox->advance(24 * 60);
        check([$moved->minutes, $moved->checkouts > 0], [24 * 60, true]);
        check($client->checkout->waitUntil($open->id, 'EXPIRED')->state, 'EXPIRED');
    },
    'every endpoint was called' => static function () use ($transport): void {
        $folder = getenv('QUITTANCE_VECTORS') ?: __DIR__ . '/../../vectors';
        $methods = json_decode(file_get_contents("$folder/methods.json"), true)['methods'];
        $routes = array_map(static fn (array $one) => "{$one['method']} {$one['path']}", $methods);
        check(array_values(array_diff($routes, array_keys($transport->called))), []);
    },
]);
