"""A shop that sends its customer to a page of the service, and waits until it is paid."""

import os

from quittance import Quittance

quittance = Quittance(
    base_url=os.environ["QUITTANCE_URL"],
    key=os.environ["QUITTANCE_KEY"],
    secret=os.environ["QUITTANCE_SECRET"],
)

made = quittance.checkout.create_hosted(
    {
        "charge": {
            "billingCurrency": "EUR",
            "lineItems": [{"description": "A book", "netAmount": "12.50", "quantity": 2}],
            "taxItems": [{"name": "VAT", "percent": "0.07"}],
        },
        "pageSettings": {"returnUrl": "https://shop.example/thanks"},
        "meta": {"order": "1001"},
    }
)
print(f"Send the customer to {made.url}")

# With a test key nobody has to pay: the sandbox does.
quittance.sandbox.pay_and_confirm(made.id, {"network": "LITECOIN"})

checkout = quittance.checkout.wait_until(made.id, ["COMPLETED", "UNDERPAID"], timeout_seconds=600)
order = (checkout.meta or {}).get("order")
print(f"Order {order} is {checkout.state}")
