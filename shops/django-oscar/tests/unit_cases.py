"""What needs no shop: what a checkout makes of an order, and the part of the coins."""

import unittest
from decimal import Decimal

from quittance_oscar.decide import SETTLED, Said, decide, share


def at(state, is_asked=True, is_reversed=False):
    return Said(state, is_asked, is_reversed)


class Deciding(unittest.TestCase):
    def test_a_paid_checkout_pays_its_order_once(self):
        self.assertEqual(decide("open", at("COMPLETED")), "paid")
        self.assertIsNone(decide("paid", at("COMPLETED")))

    def test_what_is_settled_never_goes_back(self):
        for stage in SETTLED:
            for state in ("NEW", "AWAITING_PAYMENT", "PENDING", "UNDERPAID", "EXPIRED", "CANCELLED"):
                self.assertIsNone(decide(stage, at(state)), (stage, state))

    def test_late_money_counts(self):
        self.assertEqual(decide("expired", at("COMPLETED")), "paid")

    def test_another_amount_pays_nothing(self):
        self.assertEqual(decide("open", at("COMPLETED", is_asked=False)), "mismatch")

    def test_money_that_is_taken_back_is_told_and_so_is_its_return(self):
        self.assertEqual(decide("paid", at("COMPLETED", is_reversed=True)), "reversed")
        self.assertEqual(decide("reversed", at("COMPLETED")), "paid")

    def test_too_little_is_told_and_the_rest_pays(self):
        self.assertEqual(decide("seen", at("UNDERPAID")), "underpaid")
        self.assertEqual(decide("underpaid", at("COMPLETED")), "paid")

    def test_a_state_of_a_later_version_changes_nothing(self):
        self.assertIsNone(decide("open", at("DREAMING")))


class Sharing(unittest.TestCase):
    def test_a_third_is_rounded_down(self):
        self.assertEqual(share(Decimal("1.00000000"), Decimal(1), Decimal(3)), Decimal("0.33333333"))

    def test_all_of_it_is_all_of_it(self):
        self.assertEqual(share(Decimal("0.30123456"), Decimal("19.90"), Decimal("19.90")), Decimal("0.30123456"))

    def test_long_amounts_stay_exact(self):
        coins = Decimal("123456789012.345678901234567890")
        self.assertEqual(share(coins, Decimal(1), Decimal(2)), Decimal("61728394506.172839450617283945"))

    def test_a_share_is_from_nothing_to_all_of_it(self):
        for part, whole in ((Decimal(2), Decimal(1)), (Decimal(-1), Decimal(1)), (Decimal(0), Decimal(0))):
            with self.assertRaises(ValueError):
                share(Decimal(1), part, whole)


if __name__ == "__main__":
    unittest.main()
