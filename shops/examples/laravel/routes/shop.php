<?php

declare(strict_types=1);

use App\Http\ShopController;
use Illuminate\Support\Facades\Route;

Route::get('/', [ShopController::class, 'book']);
Route::post('/buy', [ShopController::class, 'buy']);
Route::post('/quittance', [ShopController::class, 'receive']);
Route::get('/thanks', [ShopController::class, 'thanks']);
Route::get('/orders/{number}', [ShopController::class, 'show']);
