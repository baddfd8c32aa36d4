"""Ten checkouts at once, each waited for."""

import asyncio
import os

from quittance import AsyncQuittance
from quittance.models import Checkout


async def sell(quittance: AsyncQuittance, number: int) -> Checkout:
    made = await quittance.checkout.create(
        {
            "charge": {
                "billingCurrency": "EUR",
                "lineItems": [{"description": "A book", "netAmount": "12.50"}],
            },
            "meta": {"order": str(number)},
        },
        idempotency_key=f"order-{number}",
    )
    return await quittance.sandbox.pay_and_confirm(made.id, {"network": "LITECOIN"})


async def main() -> None:
    async with AsyncQuittance(
        base_url=os.environ["QUITTANCE_URL"],
        key=os.environ["QUITTANCE_KEY"],
        secret=os.environ["QUITTANCE_SECRET"],
    ) as quittance:
        sold = await asyncio.gather(*(sell(quittance, number) for number in range(10)))
        print(f"{len(sold)} checkouts: {', '.join(sorted({one.state for one in sold}))}")
        async for checkout in quittance.checkout.list({"state": "COMPLETED", "limit": 5}):
            print(f"{checkout.id} got {checkout.sourceAmountReceived} for {checkout.total} EUR")


asyncio.run(main())
