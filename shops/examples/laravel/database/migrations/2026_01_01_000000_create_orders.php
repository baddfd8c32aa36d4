<?php

declare(strict_types=1);

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration {
    public function up(): void
    {
        Schema::create('orders', static function (Blueprint $table): void {
            $table->string('number')->primary();
            $table->string('checkout_id')->nullable()->unique();
            $table->string('total');
            $table->string('currency');
            $table->string('state')->default('open');
            $table->timestamps();
        });
    }

    public function down(): void
    {
        Schema::drop('orders');
    }
};
