"""coinbase-commerce of PyPI, unmodified, from the command line: what commerce-python-stories.ts asks of it,
answered as JSON. Only the address and the key are ours."""

import json
import os
import sys

from coinbase_commerce.client import Client
from coinbase_commerce.error import APIError, SignatureVerificationError
from coinbase_commerce.webhook import Webhook

client = Client(api_key=os.environ["COMMERCE_KEY"], base_api_uri=os.environ["COMMERCE_BASE"])
what, *rest = sys.argv[1:]

if what == "make":
    told = client.charge.create(**json.loads(rest[0]))
elif what == "read":
    told = client.charge.retrieve(rest[0])
elif what == "refused":
    try:
        told = {"refused": client.charge.create(**json.loads(rest[0]))}
    except APIError as error:
        told = {"refused": type(error).__name__, "said": str(error)}
elif what == "walk":
    told = [charge["id"] for charge in client.charge.list_paging_iter(limit=2)]
else:
    try:
        event = Webhook.construct_event(sys.stdin.read(), rest[0], rest[1])
        told = {"type": event["type"], "id": event["data"]["id"]}
    except SignatureVerificationError:
        told = {"type": None}
print(json.dumps(told))
