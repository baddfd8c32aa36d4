<?php

declare(strict_types=1);

namespace Quittance\Http;

/** Sends one request and follows no redirect. */
interface Transport
{
    /**
     * @throws TimedOut when no answer came within the time of the request
     * @throws ConnectionFailed when no answer came for another reason
     */
    public function send(Request $request): Response;
}
