<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/** The refunds of an order, shown to the people of the shop and to the customer, each with the link to claim it. */
final class RefundViews
{
    public static function addBox(): void
    {
        $screens = ['shop_order'];
        if (function_exists('wc_get_page_screen_id')) {
            $screens[] = wc_get_page_screen_id('shop-order');
        }
        add_meta_box('quittance', 'Quittance', [self::class, 'box'], array_unique($screens), 'side');
    }

    public static function box(mixed $shown): void
    {
        $order = $shown instanceof \WP_Post ? wc_get_order($shown->ID) : $shown;
        $checkouts = $order instanceof \WC_Order ? OrderSettler::checkoutsOf($order) : [];
        if ($checkouts === []) {
            echo '<p>' . esc_html__('Not paid with Quittance.', 'quittance-for-woocommerce') . '</p>';
            return;
        }
        $address = (string) $order->get_meta(OrderSettler::ADDRESS);
        $stage = (string) $order->get_meta(OrderSettler::STAGE);
        printf('<p><a href="%s">%s</a> %s</p>', esc_url($address), esc_html((string) end($checkouts)), esc_html($stage));
        echo wp_kses_post(self::refunds($order));
    }

    public static function forCustomer(\WC_Order $order): void
    {
        $html = self::refunds($order);
        if ($html !== '') {
            printf('<section class="quittance-refunds"><h2>%s</h2>%s</section>', esc_html__('Refunds', 'quittance-for-woocommerce'), wp_kses_post($html));
        }
    }

    private static function refunds(\WC_Order $order): string
    {
        $lines = '';
        foreach (OrderRefunds::notedOf($order) as $id => $refund) {
            $lines .= sprintf('<li>%s · %s · %s', esc_html($refund['amount']), esc_html($refund['state']), esc_html((string) $id));
            if (($refund['claimUrl'] ?? null) !== null) {
                $lines .= sprintf('<br><a href="%s">%s</a>', esc_url($refund['claimUrl']), esc_html__('Say where the money is to be sent', 'quittance-for-woocommerce'));
            }
            $lines .= '</li>';
        }
        return $lines === '' ? '' : "<ul>$lines</ul>";
    }
}
