"""Runs the vectors, what is Python's own, and with QUITTANCE_URL the live suite, over the package that is
installed: QUITTANCE_VECTORS names the folder of the vectors, QUITTANCE_CLIENT one of the two clients for
the live suite."""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path

from both_clients import CLIENTS
from conformance import conformance_cases
from live_cases import live_cases
from own_cases import own_cases
from x402_cases import x402_cases


def main() -> int:
    url = os.environ.get("QUITTANCE_URL")
    vectors = Path(os.environ["QUITTANCE_VECTORS"])
    if url is None:
        cases = [*conformance_cases(vectors), *own_cases(), *x402_cases()]
    else:
        methods = json.loads((vectors / "methods.json").read_text("utf-8"))["methods"]
        key, secret = os.environ["QUITTANCE_KEY"], os.environ["QUITTANCE_SECRET"]
        access = {"key": key, "secret": secret, "base_url": url}
        client = CLIENTS[os.environ["QUITTANCE_CLIENT"]]
        cases = [*live_cases(client, access, methods)]
    failed = 0
    for name, run in cases:
        try:
            run()
        except Exception:
            failed += 1
            print(f"  FAILED {name}")
            traceback.print_exc(limit=-4, file=sys.stdout)
        else:
            if url is not None:
                print(f"  ok {name}")
    print(f"  {len(cases) - failed} passed, {failed} failed")
    return 0 if failed == 0 and cases else 1


if __name__ == "__main__":
    sys.exit(main())
