<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

use QuittanceWooCommerce\Client\Http\ConnectionFailed;
use QuittanceWooCommerce\Client\Http\Request;
use QuittanceWooCommerce\Client\Http\Response;
use QuittanceWooCommerce\Client\Http\TimedOut;
use QuittanceWooCommerce\Client\Http\Transport;

/** Requests go out as all of WordPress do: through its proxy, with its certificates. */
final class WordPressTransport implements Transport
{
    public function send(Request $request): Response
    {
        $answer = wp_remote_request($request->url, [
            'method' => $request->method,
            'headers' => $request->headers,
            'body' => $request->method === 'GET' ? null : $request->body,
            'timeout' => $request->timeoutSeconds,
            'redirection' => 0,
            'user-agent' => $request->headers['user-agent'] ?? '',
        ]);
        if (is_wp_error($answer)) {
            $message = $answer->get_error_message();
            throw str_contains($message, 'timed out') ? new TimedOut($message) : new ConnectionFailed($message);
        }
        $headers = [];
        foreach (wp_remote_retrieve_headers($answer) as $name => $value) {
            $headers[$name] = is_array($value) ? (string) end($value) : (string) $value;
        }
        return new Response((int) wp_remote_retrieve_response_code($answer), $headers, wp_remote_retrieve_body($answer));
    }
}
