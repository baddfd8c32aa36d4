"""What the types refuse, for mypy alone: strict as it is, it complains of an ignore that is not needed."""

from quittance import AsyncQuittance, Quittance
from quittance.parameters import CheckoutRequest


def write(client: Quittance) -> None:
    client.checkout.commit("abcdefghijkl", network="LITECOIN")  # type: ignore[call-arg]
    client.checkout.commit("abcdefghijkl", {"netwrk": "LITECOIN"})  # type: ignore[arg-type]
    client.checkout.list({"state": "PAID"})  # type: ignore[arg-type]
    client.transfers.create({"network": "LITECOIN"})  # type: ignore[typeddict-item]
    client.sandbox.pay({"amount": 0.1})  # type: ignore[arg-type]
    client.checkout.get(id="abcdefghijkl")  # type: ignore[call-arg]
    client.checkout.wait_until("abcdefghijkl", "PAID")  # type: ignore[arg-type]


def read(client: Quittance, request: CheckoutRequest) -> None:
    made = client.checkout.create(request)
    made.url  # type: ignore[attr-defined]
    total: float = client.checkout.get(made.id).total  # type: ignore[assignment]
    print(total)


async def wait(client: AsyncQuittance) -> None:
    client.checkout.get("abcdefghijkl").state  # type: ignore[attr-defined]
    for customer in client.customers.list():  # type: ignore[attr-defined]
        print(customer)
