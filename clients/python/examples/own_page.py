"""A shop that shows address and amount on a page of its own."""

import os

from quittance import ConflictError, Quittance

with Quittance(
    base_url=os.environ["QUITTANCE_URL"],
    key=os.environ["QUITTANCE_KEY"],
    secret=os.environ["QUITTANCE_SECRET"],
) as quittance:
    made = quittance.checkout.create(
        {
            "charge": {
                "billingCurrency": "EUR",
                "lineItems": [{"description": "A book", "netAmount": "23"}],
            }
        }
    )
    for method in made.paymentMethods:
        print(f"{method.paymentAmount} {method.assetCode} over {method.network}")

    # The customer chooses one of them.
    committed = quittance.checkout.commit(made.id, {"network": "LITECOIN"})
    to_pay = committed.depositInstructions
    print(
        f"Pay {to_pay.amount} {to_pay.assetCode} to {to_pay.address}"
        f" until {committed.expirationTime}"
    )

    quittance.sandbox.pay_and_confirm(made.id)
    try:
        quittance.checkout.cancel(made.id)
    except ConflictError as error:
        print(f"It cannot be cancelled any more: {error.code}")
