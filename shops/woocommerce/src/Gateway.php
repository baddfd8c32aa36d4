<?php

declare(strict_types=1);

namespace QuittanceWooCommerce;

/** The way to pay, as WooCommerce asks for it: its settings, the start of a payment, a refund. */
final class Gateway extends \WC_Payment_Gateway
{
    public const ID = 'quittance';

    public function __construct()
    {
        $this->id = self::ID;
        $this->method_title = 'Quittance';
        $this->method_description = __('Cryptocurrencies and bank transfers on the payment page of your own Quittance installation.', 'quittance-for-woocommerce');
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        $this->order_button_text = __('Continue to payment', 'quittance-for-woocommerce');
        add_action("woocommerce_update_options_payment_gateways_$this->id", [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = GatewayFields::all();
    }

    public function is_available(): bool
    {
        return parent::is_available() && Settings::read()->isComplete();
    }

    public function needs_setup(): bool
    {
        return !Settings::read()->isComplete();
    }

    public function payment_fields(): void
    {
        echo wp_kses_post(wpautop(wptexturize($this->get_description())));
        if (Settings::read()->isTest) {
            echo wp_kses_post(self::testNotice());
        }
    }

    /** The colours are in the text itself: a theme cannot hide that no money moves. */
    public static function testNotice(): string
    {
        $words = esc_html__('Test mode: no money moves. Pay with the sandbox of Quittance.', 'quittance-for-woocommerce');
        return '<p class="quittance-test" style="background:#fff3cd;color:#664d03;border:1px solid #ffda6a;'
            . "border-radius:4px;padding:8px 12px\">$words</p>";
    }

    /** What was saved is tried at once, and what is wrong with it is said above the form. */
    public function process_admin_options(): bool
    {
        $before = Settings::read()->webhookSecret;
        $isSaved = parent::process_admin_options();
        if (Settings::read()->webhookSecret !== $before) {
            WebhookFault::forget();
        }
        $check = ConnectionCheck::of(Settings::from($this->settings));
        foreach ($check['faults'] as $fault) {
            \WC_Admin_Settings::add_error($fault);
        }
        if ($check['faults'] === []) {
            $this->update_option('environment', (string) $check['environment']);
            $words = $check['environment'] === 'live'
                ? __('Quittance answers, and the key is live: money moves.', 'quittance-for-woocommerce')
                : __('Quittance answers. The key is a test key: no money moves.', 'quittance-for-woocommerce');
            \WC_Admin_Settings::add_message($words);
            if ($check['refunds'] !== null) {
                /* translators: %s: what to do */
                $needs = __('Payments can be taken. Refunds from an order are still refused: %s', 'quittance-for-woocommerce');
                \WC_Admin_Settings::add_message(sprintf($needs, $check['refunds']));
            }
        }
        return $isSaved;
    }

    /** Keys and secrets are pasted: white space around them is none of them. */
    public function validate_password_field($key, $value): string
    {
        $text = trim(wp_unslash((string) $value));
        // A form that is saved without the secret keeps the one that is there.
        return $text === '' ? (string) $this->get_option($key) : $text;
    }

    /** A saved secret is never written into a page again. */
    public function generate_password_html($key, $data): string
    {
        $saved = (string) $this->get_option($key);
        if ($saved !== '') {
            $data['placeholder'] = '•••••••• ' . substr($saved, -4);
        }
        $kept = $this->settings[$key] ?? '';
        $this->settings[$key] = '';
        $html = $this->generate_text_html($key, $data);
        $this->settings[$key] = $kept;
        return $html;
    }

    /** @return array<string, string> */
    public function process_payment($order_id): array
    {
        try {
            return ['result' => 'success', 'redirect' => Payment::start((int) $order_id)];
        } catch (\Throwable $error) {
            Log::error("order $order_id cannot be paid: " . $error->getMessage());
            wc_add_notice(__('The payment page cannot be opened at the moment. Try again in a minute, or choose another way to pay.', 'quittance-for-woocommerce'), 'error');
            return ['result' => 'failure', 'redirect' => ''];
        }
    }

    public function can_refund_order($order): bool
    {
        return parent::can_refund_order($order)
            && in_array($order->get_transaction_id(), OrderSettler::checkoutsOf($order), true);
    }

    public function process_refund($order_id, $amount = null, $reason = ''): bool|\WP_Error
    {
        try {
            OrderRefunds::create((int) $order_id, wc_format_decimal((string) $amount), (string) $reason);
            return true;
        } catch (\Throwable $error) {
            Log::error("order $order_id cannot be refunded: " . $error->getMessage());
            /* translators: %s: reason */
            $words = sprintf(__('Quittance does not refund this: %s', 'quittance-for-woocommerce'), RefundRefusal::say($error));
            return new \WP_Error('quittance_refund', $words);
        }
    }
}
