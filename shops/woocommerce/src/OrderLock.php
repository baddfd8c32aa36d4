<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/**
 * One at a time for an order: of a webhook, a customer who comes back and a scheduled action at the same
 * moment one changes it, and the others find it changed. A named lock of the database ends with its
 * connection, so that a process that dies holds nothing.
 */
final class OrderLock
{
    private const SECONDS = 20;

    /**
     * @template T
     * @param callable(): T $act
     * @return T
     * @throws \RuntimeException when another process held it too long
     */
    public static function hold(int $orderId, callable $act): mixed
    {
        global $wpdb;
        $name = 'quittance_' . md5(DB_NAME . $wpdb->prefix . $orderId);
        $got = $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::SECONDS));
        if ((string) $got !== '1') {
            throw new \RuntimeException("order $orderId is held by another process");
        }
        try {
            return $act();
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }

    /** The order as the database has it now, not as this process read it before. */
    public static function fresh(int $orderId): ?\WC_Order
    {
        clean_post_cache($orderId);
        $container = wc_get_container();
        $cache = 'Automattic\\WooCommerce\\Caches\\OrderCache';
        if (class_exists($cache)) {
            $container->get($cache)->remove($orderId);
        }
        $store = 'Automattic\\WooCommerce\\Internal\\DataStores\\Orders\\OrdersTableDataStore';
        if (class_exists($store) && method_exists($store, 'clear_cached_data')) {
            $container->get($store)->clear_cached_data([$orderId]);
        }
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order) {
            return null;
        }
        $order->read_meta_data(true);
        return $order;
    }
}
