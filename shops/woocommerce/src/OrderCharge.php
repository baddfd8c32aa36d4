<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/**
 * What an order charges, line by line, as the service reads it. Guarantees: the lines sum to the total that
 * the customer saw, to the last unit of the currency. Taxes are in the lines, as WooCommerce rounded them
 * for each; what its rounding leaves is a line of its own.
 */
final class OrderCharge
{
    private const DESCRIPTION_MAX = 200;
    /** The service takes 500. */
    private const LINES_MAX = 490;

    /** @return array{billingCurrency: string, lineItems: list<array<string, string>>} */
    public static function of(\WC_Order $order): array
    {
        $decimals = wc_get_price_decimals();
        $total = Amount::units(self::decimal($order->get_total(), $decimals), $decimals);
        $lines = [];
        foreach ($order->get_items(['line_item', 'shipping', 'fee']) as $item) {
            $gross = wc_format_decimal((float) $item->get_total() + (float) $item->get_total_tax(), $decimals);
            $units = Amount::units($gross, $decimals);
            if ($units !== 0) {
                $lines[] = ['description' => self::describe($item), 'units' => $units];
            }
        }
        if ($lines === [] || count($lines) > self::LINES_MAX) {
            /* translators: %s: number of an order */
            $text = sprintf(__('Order %s', 'quittance-for-woocommerce'), $order->get_order_number());
            $lines = [['description' => $text, 'units' => $total]];
        }
        $rest = $total - array_sum(array_column($lines, 'units'));
        if ($rest !== 0) {
            $lines[] = ['description' => __('Rounding', 'quittance-for-woocommerce'), 'units' => $rest];
        }
        return [
            'billingCurrency' => $order->get_currency(),
            'lineItems' => array_map(static fn (array $line): array => [
                'description' => $line['description'],
                'netAmount' => Amount::text($line['units'], $decimals),
            ], $lines),
        ];
    }

    /** The total of the order as the exact text of its currency. */
    public static function totalOf(\WC_Order $order): string
    {
        return self::decimal($order->get_total(), wc_get_price_decimals());
    }

    private static function decimal(mixed $value, int $decimals): string
    {
        return wc_format_decimal($value, $decimals);
    }

    private static function describe(\WC_Order_Item $item): string
    {
        $name = wp_strip_all_tags(html_entity_decode($item->get_name(), ENT_QUOTES, 'UTF-8'));
        $quantity = $item->get_quantity();
        $text = $quantity > 1 ? "$quantity × $name" : $name;
        $text = trim((string) preg_replace('/[\x00-\x1f\x7f]+/u', ' ', $text));
        return $text === '' ? '–' : mb_substr($text, 0, self::DESCRIPTION_MAX);
    }
}
