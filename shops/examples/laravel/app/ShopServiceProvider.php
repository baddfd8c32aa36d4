<?php

declare(strict_types=1);

namespace App;

use Illuminate\Support\Facades\Route;
use Illuminate\Support\ServiceProvider;
use Quittance\Quittance;

final class ShopServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(Quittance::class, static fn (): Quittance => new Quittance(
            config('quittance.key'),
            config('quittance.secret'),
            config('quittance.url'),
        ));
    }

    public function boot(): void
    {
        Route::group([], base_path('routes/shop.php'));
    }
}
