<?php

// What the plugin keeps of its own is removed with it: the settings with the secrets, and what is planned.
// What it noted with orders stays: it says how they were paid.

declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

delete_option('woocommerce_quittance_settings');
delete_option('quittance_webhook_fault');
if (function_exists('as_unschedule_all_actions')) {
    as_unschedule_all_actions('', [], 'quittance');
}
