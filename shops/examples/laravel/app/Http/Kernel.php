<?php

declare(strict_types=1);

namespace App\Http;

use Illuminate\Foundation\Http\Kernel as HttpKernel;

/** Of an app with the group `web`, leave the address of webhooks out of VerifyCsrfToken: no form sends it. */
final class Kernel extends HttpKernel
{
    protected $middleware = [];
}
