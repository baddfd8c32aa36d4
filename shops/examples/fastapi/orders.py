"""The orders of the shop, in a file of SQLite.

An order is paid once: the row decides, so that two webhooks and a customer who comes back at the same moment
ship it once.
"""

import os
import sqlite3
import uuid
from dataclasses import dataclass

FILE = os.environ.get("SHOP_DATABASE", "orders.db")


@dataclass(frozen=True)
class Order:
    number: str
    checkout_id: str | None
    total: str
    currency: str
    state: str


def _connect() -> sqlite3.Connection:
    return sqlite3.connect(FILE, timeout=30, isolation_level=None)


with _connect() as database:
    database.execute(
        "create table if not exists orders (number text primary key, checkout_id text unique,"
        " total text not null, currency text not null, state text not null default 'open')"
    )


def open_order(total: str, currency: str) -> str:
    number = str(uuid.uuid4())
    with _connect() as database:
        database.execute(
            "insert into orders (number, total, currency) values (?, ?, ?)",
            (number, total, currency),
        )
    return number


def note_checkout(number: str, checkout_id: str) -> None:
    with _connect() as database:
        database.execute("update orders set checkout_id = ? where number = ?", (checkout_id, number))


def find_order(number: str) -> Order | None:
    return _find("number", number)


def find_by_checkout(checkout_id: str) -> Order | None:
    return _find("checkout_id", checkout_id)


def mark_paid(number: str) -> bool:
    """Whether this call made it paid."""
    with _connect() as database:
        changed = database.execute(
            "update orders set state = 'paid' where number = ? and state = 'open'", (number,)
        )
        return changed.rowcount == 1


def _find(column: str, value: str) -> Order | None:
    with _connect() as database:
        row = database.execute(
            "select number, checkout_id, total, currency, state from orders"
            f" where {column} = ?",
            (value,),
        ).fetchone()
    return None if row is None else Order(*row)
